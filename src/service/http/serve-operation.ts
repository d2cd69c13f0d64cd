import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AssayError } from '#core';
import { type InputFault, invalidInput, type Operation, readPart, unstorableTexts } from '#core/api';
import { Written } from '#service/operations';
import { etagMatches, etagOf } from './etag.ts';
import {
  type AnyHandler,
  type BytesAnswer,
  Found,
  type RangedBody,
  type Served,
  type ServerSentEvent,
  WithSession,
} from './handler.ts';
import type { ServerContext } from './options.ts';
import { idempotencyKeyOf, onceForKey } from './requests/idempotency.ts';
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

interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const nothing = z.strictObject({});
const advice = 'correct what `errors` points at; /v1/openapi.json has the schemas';

/** Parses the three parts of a request by the operation's schemas; what they do not name is refused. */
function inputReader(operation: Operation): (request: FastifyRequest) => Input {
  const params = operation.params ?? nothing;
  const rest = /\{([^}]+)\*\}$/.exec(operation.path)?.[1];
  const query = (operation.query ?? nothing).strict();
  return (request) => {
    const given = paramsOf(request, rest);
    const inParams = params.safeParse(given);
    // An id that cannot exist is as absent as one that does not.
    if (!inParams.success || unstorableTexts(given, '').length > 0)
      throw new AssayError('not_found', 'there is nothing at this address');
    const faults: InputFault[] = [];
    const inQuery = readPart(query, request.query, '/query', faults);
    const inBody = bodyOf(operation.body, request.body, faults);
    const [first, ...others] = faults;
    if (first !== undefined) throw invalidInput([first, ...others], advice);
    return { params: inParams.data, query: inQuery, body: inBody };
  };
}

/** The router calls the rest of a path `*`. */
function paramsOf(request: FastifyRequest, rest: string | undefined): Record<string, unknown> {
  const { '*': last, ...params } = request.params as Record<string, unknown>;
  return rest === undefined ? params : { ...params, [rest]: last };
}

function bodyOf(schema: z.ZodType | undefined, given: unknown, faults: InputFault[]): unknown {
  if (schema !== undefined) return readPart(schema, given, '/body', faults);
  const empty = given === undefined || given === null || (typeof given === 'object' && isEmpty(given));
  if (!empty) faults.push({ pointer: '/body', message: 'this operation takes no body' });
  return undefined;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const json = 'application/json; charset=utf-8';
/** Pages are the report's: their own files, and pictures inside their data. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/** Sends what a handler gave, as the operation's row says. */
function sendAnswer(operation: Operation, answer: unknown, sending: Sending): FastifyReply {
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
function jsonText({ success }: Operation, answer: unknown): string | undefined {
  if (success.status === 204) return undefined;
  return answer instanceof Written ? answer.text : JSON.stringify(answer);
}

/** Sends text made by `jsonText`, now or kept from before, or its bytes. */
function sendJson(
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
function verifyAnswer(operation: Operation, answer: unknown): void {
  const { success } = operation;
  if (!('schema' in success) || success.schema === undefined || 'content_type' in success) return;
  const given = answer instanceof Written ? answer.read() : JSON.parse(JSON.stringify(answer));
  const parsed = success.schema.safeParse(given);
  if (parsed.success) return;
  const said = parsed.error.issues.map((issue) => `/${issue.path.join('/')}: ${issue.message}`);
  throw new AssayError('internal', `${operation.id} answered against its schema: ${said.join('; ')}`);
}

/** Bytes from the first up to the second, which is not among them. */
type ByteRange = readonly [from: number, until: number];

/**
 * Sends bytes of which a client may ask for a part (RFC 9110, 14): one range with 206, everything where none is asked
 * for, several are, or `If-Range` names what has changed. Throws `range_not_satisfiable` for a range behind the end.
 */
function sendRanged(body: RangedBody, etag: string, { request, reply }: Sending): FastifyReply {
  reply.header('etag', etag).header('accept-ranges', 'bytes');
  const { headers, method } = request;
  if (etagMatches(headers['if-none-match'], etag)) {
    reply.removeHeader('content-type');
    return reply.code(304).send();
  }
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const part = method === 'GET' && isSame ? rangeOf(headers.range, body.bytes) : null;
  const [from, until] = part ?? [0, body.bytes];
  if (part !== null) reply.code(206).header('content-range', `bytes ${from}-${until - 1}/${body.bytes}`);
  reply.header('content-length', until - from);
  // An empty text would be counted.
  return reply.send(method === 'HEAD' ? Readable.from([]) : body.open(from, until));
}

/** Null where everything is to be sent. */
function rangeOf(header: string | undefined, bytes: number): ByteRange | null {
  const found = header?.match(/^bytes=(?:(\d+)-(\d*)|-(\d+))$/i);
  if (found == null) return null;
  const [, first, last, suffix] = found;
  const from = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const until = last === undefined || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  if (first !== undefined && last !== undefined && last !== '' && Number(last) < Number(first)) return null;
  if (from < until) return [from, until];
  throw new AssayError('range_not_satisfiable', `there are ${bytes} bytes, and none of this range`, {
    advice: 'ask without Range to get everything',
    details: { bytes },
  });
}

/** What an answer is sent with. */
interface Sending {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client or the server goes. */
  readonly signal: AbortSignal;
  readonly heartbeat_ms: number;
  /** Absent: that of the operation's row. */
  readonly status?: number;
}

/**
 * Events as the bytes of a `text/event-stream`: one asked for when the connection has room for it, a comment after
 * every `heartbeat_ms` of silence, the end when the source ends or `signal` says that the client or the server goes.
 */
function eventStream(
  events: AsyncIterable<ServerSentEvent>,
  signal: AbortSignal,
  heartbeat_ms: number,
): Readable {
  return Readable.from(chunks(events[Symbol.asyncIterator](), signal, heartbeat_ms), { objectMode: false });
}

async function* chunks(
  events: AsyncIterator<ServerSentEvent>,
  signal: AbortSignal,
  heartbeat_ms: number,
): AsyncGenerator<string> {
  yield ': open\n\n';
  let next = events.next();
  try {
    while (!signal.aborted) {
      const got = await firstOf(next, signal, heartbeat_ms);
      if (got === 'aborted' || (got !== 'silent' && got.done)) return;
      if (got === 'silent') {
        yield ': still here\n\n';
        continue;
      }
      next = events.next();
      yield eventText(got.value);
    }
  } finally {
    next.catch(() => {});
    // Not awaited: a source that waits for its next event ends when its signal tells it to.
    void events.return?.().catch(() => {});
  }
}

async function firstOf(
  next: Promise<IteratorResult<ServerSentEvent>>,
  signal: AbortSignal,
  heartbeat_ms: number,
): Promise<IteratorResult<ServerSentEvent> | 'silent' | 'aborted'> {
  const { promise, resolve } = Promise.withResolvers<'silent' | 'aborted'>();
  const silence = setTimeout(() => resolve('silent'), heartbeat_ms);
  const onAbort = () => resolve('aborted');
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', onAbort);
  }
}

/** One event in the stream's syntax. JSON has no bare line ends, so `data` is one line. */
function eventText({ id, event, data }: ServerSentEvent): string {
  const lines = id === undefined ? [] : [`id: ${id.replaceAll(/[\r\n\0]/g, '')}`];
  return `${[...lines, `event: ${event}`, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}
