import type { FastifyRequest } from 'fastify';
import type { Actor, Call } from '#service/operations';

/** Who calls a public operation: of no tenant, so that no query of theirs finds anything. */
const nobody: Actor = { tenant_id: 'none', token_id: 'none', user_id: null, name: 'nobody', role: 'viewer' };

/** The use cases' view of a request. */
export function callOf(request: FastifyRequest): Call {
  return { actor: request.actor ?? nobody, request_id: request.id, now: request.received_at };
}
