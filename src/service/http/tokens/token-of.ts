import type { FastifyRequest } from 'fastify';
import { sessionTokenOf } from './session-cookie.ts';

/**
 * Who asks: the token in `Authorization`, or in the cookie of a browser that signed in. The header counts alone where there is
 * one.
 */
export function tokenOf(request: FastifyRequest): string | null {
  return request.headers.authorization === undefined ? sessionTokenOf(request) : headerToken(request);
}

/** A bearer token; for pages that a browser opens by itself also the password of Basic credentials, on reads only. */
function headerToken(request: FastifyRequest): string | null {
  const [scheme, value, ...rest] = (request.headers.authorization ?? '').trim().split(/ +/);
  if (value === undefined || rest.length > 0 || value.length > 500) return null;
  if (/^bearer$/i.test(scheme)) return value;
  const basic =
    /^basic$/i.test(scheme) &&
    request.routeOptions.config?.access?.page &&
    /^(GET|HEAD)$/.test(request.method);
  return basic
    ? Buffer.from(value, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
    : null;
}
