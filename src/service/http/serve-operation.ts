import type { FastifyReply, FastifyRequest } from 'fastify';
import { AssayError } from '#core';
import type { Operation } from '#core/api';
import { type AnyHandler, Found, type Served, WithSession } from './handler.ts';
import type { ServerContext } from './options.ts';
import { idempotencyKeyOf, onceForKey } from './requests/idempotency.ts';
import { inputReader } from './requests/read-input.ts';
import { jsonText, sendAnswer, sendJson, verifyAnswer } from './send-answer.ts';
import { callOf } from './tokens/call-of.ts';
import { sessionTokenOf, setSession } from './tokens/session-cookie.ts';
import { tokenOf } from './tokens/token-of.ts';

/** The route handler of one row: parse, call (once for an idempotency key), answer. */
export function operationServer(
  operation: Operation,
  handle: AnyHandler,
  { store, metrics, limits, open, verify_answers }: ServerContext,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  refuseImpossible(operation);
  const read = inputReader(operation);
  return async (request, reply) => {
    const input = read(request);
    const signal = open.signalOf(reply);
    const sending = { request, reply, signal, heartbeat_ms: limits.heartbeat_ms };
    const served: Served = {
      store,
      call: callOf(request),
      metrics,
      session_token: sessionTokenOf(request),
      headers: request.headers,
      signal,
    };
    const work = async () => {
      const given = await handle(served, input as never);
      if (given instanceof WithSession) setSession(request, reply, given);
      const answer = given instanceof Found || given instanceof WithSession ? given.answer : given;
      if (verify_answers) verifyAnswer(operation, answer);
      return { answer, status: statusOf(operation, given) };
    };
    const key = idempotencyKeyOf(operation, request);
    const token = tokenOf(request);
    if (key === null || token === null) {
      const { answer, status } = await work();
      return sendAnswer(operation, answer, { ...sending, status });
    }
    const waiting = AbortSignal.any([signal, open.stopping]);
    const once = await onceForKey(store, key, { operation, request, token, signal: waiting }, async () => {
      const { answer, status } = await work();
      return { text: jsonText(operation, answer), status };
    });
    if (once.replayed) reply.header('idempotency-replayed', 'true');
    reply.code(once.status).header('cache-control', 'no-store');
    return sendJson(operation, once.text, sending);
  };
}

function statusOf({ success }: Operation, given: unknown): number {
  return given instanceof Found && 'found' in success ? (success.found ?? success.status) : success.status;
}

function refuseImpossible({ id, idempotent, role, success }: Operation): void {
  if (idempotent === true && (role === 'public' || 'content_type' in success))
    throw new AssayError(
      'internal',
      `${id}: only a JSON answer to a token can be kept for an idempotency key`,
    );
}
