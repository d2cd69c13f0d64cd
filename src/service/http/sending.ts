import type { FastifyReply, FastifyRequest } from 'fastify';

/** What an answer is sent with. */
export interface Sending {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client or the server goes. */
  readonly signal: AbortSignal;
  readonly heartbeat_ms: number;
  /** Absent: that of the operation's row. */
  readonly status?: number;
}
