import type { FastifyRequest } from 'fastify';
import type { Role } from '#core/api';
import type { Served } from './handler.ts';

/**
 * An address below which another protocol is spoken on the bare request and answer. Tokens, roles, rate limits, request
 * ids and logs are as everywhere; bodies are not read and not limited.
 */
export interface Mount {
  readonly id: string;
  /** Such as `/v1/uploads`; everything below belongs to it. */
  readonly prefix: `/${string}`;
  readonly methods: readonly string[];
  /** Lowest role that may. */
  readonly role: Role;
  /** Content types that bodies may have. */
  readonly content_types: readonly string[];
  /** Answers on `response`; headers set before it is called stay. Throws before it has begun to answer, or never. */
  readonly handle: (served: Served, request: RawRequest, response: RawResponse) => Promise<void>;
  /** Ends what would never end by itself, when the server stops. */
  readonly close?: () => Promise<void>;
}

export type RawRequest = FastifyRequest['raw'];
export type RawResponse = import('fastify').FastifyReply['raw'];
