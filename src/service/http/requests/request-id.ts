import type { FastifyRequest } from 'fastify';
import { newId } from '#core';

const sane = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's `X-Request-Id` where it is one, else a new one. */
export function requestIdOf(request: FastifyRequest['raw']): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : newId('req');
}
