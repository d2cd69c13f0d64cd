import type { FastifyReply } from 'fastify';
import { AssayError } from '#core';
import type { Operation } from '#core/api';
import { Written } from '#service/operations';
import { etagMatches, etagOf } from './etag.ts';
import { eventStream } from './event-stream.ts';
import type { BytesAnswer, RangedBody, ServerSentEvent } from './handler.ts';
import { sendRanged } from './send-range.ts';
import type { Sending } from './sending.ts';

const json = 'application/json; charset=utf-8';
/** Pages are the report's: their own files, and pictures inside their data. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/** Sends what a handler gave, as the operation's row says. */
export function sendAnswer(operation: Operation, answer: unknown, sending: Sending): FastifyReply {
  const { success } = operation;
  const { reply } = sending;
  reply
    .code(sending.status ?? success.status)
    .header('cache-control', operation.conditional ? 'private, no-cache' : 'no-store');
  if (answer instanceof Written) return sendJson(operation, answer.bytes, sending);
  if (!('content_type' in success)) return sendJson(operation, jsonText(operation, answer), sending);
  if (success.content_type === 'text/event-stream')
    return sendEvents(answer as AsyncIterable<ServerSentEvent>, sending);
  return sendBytes(operation, answer as BytesAnswer, sending);
}

/** The text of a JSON answer; undefined where the operation answers without one. */
export function jsonText({ success }: Operation, answer: unknown): string | undefined {
  if (success.status === 204) return undefined;
  return answer instanceof Written ? answer.text : JSON.stringify(answer);
}

/** Sends text made by `jsonText`, now or kept from before, or its bytes. */
export function sendJson(
  operation: Operation,
  text: string | Uint8Array | undefined,
  sending: Sending,
): FastifyReply {
  const { reply } = sending;
  if (text === undefined) return reply.send();
  reply.type(json);
  return operation.conditional ? sendConditional(text, etagOf(text), sending) : reply.send(text);
}

function sendBytes(operation: Operation, answer: BytesAnswer, sending: Sending): FastifyReply {
  const { reply } = sending;
  reply.type(answer.content_type);
  if (answer.content_type.startsWith('text/html')) reply.header('content-security-policy', pagePolicy);
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value);
  const { body } = answer;
  if (typeof body === 'object' && 'open' in body)
    return sendRanged(body, String(reply.getHeader('etag')), sending);
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  const given = reply.getHeader('etag');
  const etag = typeof given === 'string' ? given : whole && operation.conditional ? etagOf(body) : undefined;
  if (etag !== undefined) return sendConditional(body, etag, sending);
  return reply.send(body);
}

function sendConditional(
  body: Exclude<BytesAnswer['body'], RangedBody>,
  etag: string,
  { request, reply }: Sending,
): FastifyReply {
  reply.header('etag', etag);
  if (!etagMatches(request.headers['if-none-match'], etag)) return reply.send(body);
  if (typeof body === 'object' && 'destroy' in body) body.destroy();
  reply.removeHeader('content-type');
  return reply.code(304).send();
}

function sendEvents(events: AsyncIterable<ServerSentEvent>, sending: Sending): FastifyReply {
  const { request, reply, signal, heartbeat_ms } = sending;
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  if (request.method !== 'HEAD') return reply.send(eventStream(events, signal, heartbeat_ms));
  void events[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
  return reply.send('');
}

/** Throws `internal` when an answer is not what its row promises. */
export function verifyAnswer(operation: Operation, answer: unknown): void {
  const { success } = operation;
  if (!('schema' in success) || success.schema === undefined || 'content_type' in success) return;
  const given = answer instanceof Written ? answer.read() : JSON.parse(JSON.stringify(answer));
  const parsed = success.schema.safeParse(given);
  if (parsed.success) return;
  const said = parsed.error.issues.map((issue) => `/${issue.path.join('/')}: ${issue.message}`);
  throw new AssayError('internal', `${operation.id} answered against its schema: ${said.join('; ')}`);
}
