import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#contract';
import type { Actor, Call } from '#services';
import type { AnyHandler, Served } from './handler.ts';
import type { Open } from './open-requests.ts';
import type { Limits, ServerOptions } from './options.ts';
import { inputReader } from './read-input.ts';
import { sendAnswer, verifyAnswer } from './send-answer.ts';

/** Who calls a public operation: of no tenant, so that no query of theirs finds anything. */
const nobody: Actor = { tenant_id: 'none', token_id: 'none', user_id: null, name: 'nobody', role: 'viewer' };

/** The route handler of one row: parse, call, answer. */
export function operationServer(
  operation: Operation,
  handle: AnyHandler,
  { store, verify_answers }: ServerOptions,
  limits: Limits,
  open: Open,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const read = inputReader(operation);
  return async (request, reply) => {
    const input = read(request);
    const signal = open.signalOf(reply);
    const served = { store, call: callOf(request), headers: request.headers, signal } satisfies Served;
    const answer = await handle(served, input as never);
    if (verify_answers) verifyAnswer(operation, answer);
    return sendAnswer(operation, answer, { request, reply, signal, heartbeat_ms: limits.heartbeat_ms });
  };
}

/** The use cases' view of a request. */
export function callOf(request: FastifyRequest): Call {
  return { actor: request.actor ?? nobody, request_id: request.id, now: request.received_at };
}
