import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AssayError } from '#core';
import { type InputFault, invalidInput, type Operation, readPart, unstorableTexts } from '#core/api';
import { SerializedAnswer } from '#service/operations';
import type { Store } from '#store';
import { etagMatches, etagOf } from './etag.ts';
import {
  type AnyHandler,
  type BytesAnswer,
  ExistingAnswer,
  type RangedBody,
  type RequestContext,
  type ServerSentEvent,
  SessionAnswer,
} from './handler.ts';
import type { ServerContext } from './options.ts';
import { readSessionToken, readToken, setSession, toCall } from './request-identity.ts';
import { type IdempotentRequest, idempotencyKeyOf, onceForKey } from './requests/idempotency.ts';
import type { BackgroundWork } from './requests/open-requests.ts';
import { streamOnceForKey } from './requests/replayed-stream.ts';

/**
 * Returns the route handler of an operation: it parses the input, calls the handler (once per idempotency key) and sends the
 * answer.
 */
export function operationServer(
  operation: Operation,
  handle: AnyHandler,
  { store, metrics, limits, open_requests, verify_answers }: ServerContext,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  requireReplayableAnswer(operation);
  const read = inputReader(operation);
  return async (request, reply) => {
    const input = read(request);
    const signal = open_requests.signalOf(reply);
    const { params } = input as { readonly params: PathParams };
    const { heartbeat_ms } = limits;
    const sending = { request, reply, params, signal, heartbeat_ms, background: open_requests };
    const served: RequestContext = {
      store,
      call: toCall(request),
      metrics,
      session_token: readSessionToken(request),
      headers: request.headers,
      signal,
    };
    const work = async () => {
      const result = await handle(served, input as never);
      if (result instanceof SessionAnswer) setSession(request, reply, result);
      const answer =
        result instanceof ExistingAnswer || result instanceof SessionAnswer ? result.answer : result;
      if (verify_answers) verifyAnswer(operation, answer);
      return { answer, status: successStatus(operation, result) };
    };
    const key = idempotencyKeyOf(operation, request);
    const token = readToken(request);
    if (key === null || token === null) {
      const { answer, status } = await work();
      return sendAnswer(operation, answer, { ...sending, status });
    }
    const waiting = AbortSignal.any([signal, open_requests.stopping]);
    return answerOnce(store, key, { operation, request, token, signal: waiting }, sending, work);
  };
}

/** Sends the answer of `work`, which runs once per idempotency key, and returns the reply. */
async function answerOnce(
  store: Store,
  key: string,
  replayable: IdempotentRequest,
  sending: ReplyContext,
  work: () => Promise<{ readonly answer: unknown; readonly status: number }>,
): Promise<FastifyReply> {
  const { operation } = replayable;
  const { reply } = sending;
  if (isEventStream(operation)) {
    const open = async () => (await work()).answer as AsyncIterable<ServerSentEvent>;
    const { events, replayed } = await streamOnceForKey(store, key, replayable, open, sending.background);
    if (replayed) reply.header('idempotency-replayed', 'true');
    return sendAnswer(operation, events, sending);
  }
  const once = await onceForKey(store, key, replayable, async () => {
    const { answer, status } = await work();
    return { text: jsonText(operation, answer), status };
  });
  if (once.replayed) reply.header('idempotency-replayed', 'true');
  reply.code(once.status).header('cache-control', 'no-store');
  setLocation(operation, () => JSON.parse(once.text ?? '{}'), sending);
  return sendJson(operation, once.text, sending);
}

function successStatus({ success }: Operation, answerBody: unknown): number {
  return answerBody instanceof ExistingAnswer && 'found' in success
    ? (success.found ?? success.status)
    : success.status;
}

function requireReplayableAnswer(operation: Operation): void {
  const { id, idempotent, role, success } = operation;
  const isReplayable = !('content_type' in success) || isEventStream(operation);
  if (idempotent === true && (role === 'public' || !isReplayable))
    throw new AssayError('internal', `${id}: idempotency keys require a token and JSON or an event stream`);
}

const isEventStream = ({ success }: Operation): boolean =>
  'content_type' in success && success.content_type === 'text/event-stream';

type PathParams = Readonly<Record<string, unknown>> | undefined;

/** Sets `Location` to the path of the answered object, if the operation has one. */
function setLocation({ success }: Operation, read: () => unknown, { reply, params }: ReplyContext): void {
  if (!('location' in success) || success.location === undefined) return;
  const { location, located_by = ['id'] } = success;
  const key = located_by.reduce((object, name) => (object as Record<string, unknown>)[name], read());
  const path = location.replace(/\{(\w+)\}(?=(.*))/g, (_, name: string, rest: string) =>
    String(rest.includes('{') ? params?.[name] : key),
  );
  reply.header('location', path);
}

interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const emptyObject = z.strictObject({});
const advice = 'correct the fields listed in `errors`; see /v1/openapi.json for the schemas';

/**
 * Returns a function that parses params, query and body of a request by the operation's schemas; unknown members are
 * rejected.
 */
function inputReader(operation: Operation): (request: FastifyRequest) => Input {
  const params = operation.params ?? emptyObject;
  const rest = /\{([^}]+)\*\}$/.exec(operation.path)?.[1];
  const query = (operation.query ?? emptyObject).strict();
  return (request) => {
    const pathParams = readParams(request, rest);
    const inParams = params.safeParse(pathParams);
    // A malformed id is reported like a missing one.
    if (!inParams.success || unstorableTexts(pathParams, '').length > 0)
      throw new AssayError('not_found', 'path not found');
    const faults: InputFault[] = [];
    const inQuery = readPart(query, request.query, '/query', faults);
    const inBody = readBody(operation.body, request.body, faults);
    const [first, ...others] = faults;
    if (first !== undefined) throw invalidInput([first, ...others], advice);
    return { params: inParams.data, query: inQuery, body: inBody };
  };
}

/** Returns the path parameters; the router's `*` gets the name of the operation's rest parameter. */
function readParams(request: FastifyRequest, rest: string | undefined): Record<string, unknown> {
  const { '*': last, ...params } = request.params as Record<string, unknown>;
  return rest === undefined ? params : { ...params, [rest]: last };
}

function readBody(schema: z.ZodType | undefined, parsedBody: unknown, faults: InputFault[]): unknown {
  if (schema !== undefined) return readPart(schema, parsedBody, '/body', faults);
  const empty =
    parsedBody === undefined ||
    parsedBody === null ||
    (typeof parsedBody === 'object' && isEmpty(parsedBody));
  if (!empty) faults.push({ pointer: '/body', message: 'this operation does not accept a request body' });
  return undefined;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const json = 'application/json; charset=utf-8';
/** Content security policy of report pages: their own files, and images inside their data. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

/** Sends the answer of a handler with the status, type and caching of the operation, and returns the reply. */
function sendAnswer(operation: Operation, answer: unknown, sending: ReplyContext): FastifyReply {
  const { success } = operation;
  const { reply } = sending;
  reply
    .code(sending.status ?? success.status)
    .header('cache-control', operation.conditional ? 'private, no-cache' : 'no-store');
  setLocation(operation, () => (answer instanceof SerializedAnswer ? answer.read() : answer), sending);
  if (answer instanceof SerializedAnswer) return sendJson(operation, answer.bytes, sending);
  if (!('content_type' in success)) return sendJson(operation, jsonText(operation, answer), sending);
  if (isEventStream(operation)) return sendEvents(answer as AsyncIterable<ServerSentEvent>, sending);
  return sendBytes(operation, answer as BytesAnswer, sending);
}

/** Returns the text of a JSON answer; undefined for status 204. */
function jsonText({ success }: Operation, answer: unknown): string | undefined {
  if (success.status === 204) return undefined;
  return answer instanceof SerializedAnswer ? answer.text : JSON.stringify(answer);
}

/** Sends serialized JSON, or nothing if `text` is undefined, and returns the reply. */
function sendJson(
  operation: Operation,
  text: string | Uint8Array | undefined,
  sending: ReplyContext,
): FastifyReply {
  const { reply } = sending;
  if (text === undefined) return reply.send();
  reply.type(json);
  return operation.conditional ? sendConditional(text, etagOf(text), sending) : reply.send(text);
}

function sendBytes(operation: Operation, answer: BytesAnswer, sending: ReplyContext): FastifyReply {
  const { reply } = sending;
  reply.type(answer.content_type);
  if (answer.content_type.startsWith('text/html')) reply.header('content-security-policy', pagePolicy);
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value);
  const { body } = answer;
  if (typeof body === 'object' && 'open' in body)
    return sendRanged(body, String(reply.getHeader('etag')), sending);
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  const etagHeader = reply.getHeader('etag');
  const etag =
    typeof etagHeader === 'string' ? etagHeader : whole && operation.conditional ? etagOf(body) : undefined;
  if (etag !== undefined) return sendConditional(body, etag, sending);
  return reply.send(body);
}

function sendConditional(
  body: Exclude<BytesAnswer['body'], RangedBody>,
  etag: string,
  { request, reply }: ReplyContext,
): FastifyReply {
  reply.header('etag', etag);
  if (!etagMatches(request.headers['if-none-match'], etag)) return reply.send(body);
  if (typeof body === 'object' && 'destroy' in body) body.destroy();
  reply.removeHeader('content-type');
  return reply.code(304).send();
}

function sendEvents(events: AsyncIterable<ServerSentEvent>, sending: ReplyContext): FastifyReply {
  const { request, reply } = sending;
  reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  if (request.method !== 'HEAD') return reply.send(eventStream(events, sending));
  void events[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
  return reply.send('');
}

/** Throws `internal` if an answer does not match the schema of its operation. */
function verifyAnswer(operation: Operation, answer: unknown): void {
  const { success } = operation;
  if (!('schema' in success) || success.schema === undefined || 'content_type' in success) return;
  const plainAnswer = answer instanceof SerializedAnswer ? answer.read() : JSON.parse(JSON.stringify(answer));
  const parsed = success.schema.safeParse(plainAnswer);
  if (parsed.success) return;
  const issues = parsed.error.issues.map((issue) => `/${issue.path.join('/')}: ${issue.message}`);
  throw new AssayError(
    'internal',
    `${operation.id} returned a response that violates its schema: ${issues.join('; ')}`,
  );
}

/** Byte range that excludes `until`. */
type ByteRange = readonly [from: number, until: number];

/**
 * Sends content with range support (RFC 9110, 14): a single range with 206; everything if no range or several are
 * requested, or `If-Range` names another version. Throws `range_not_satisfiable` for a range beyond the end.
 */
function sendRanged(body: RangedBody, etag: string, { request, reply }: ReplyContext): FastifyReply {
  reply.header('etag', etag).header('accept-ranges', 'bytes');
  const { headers, method } = request;
  if (etagMatches(headers['if-none-match'], etag)) {
    reply.removeHeader('content-type');
    return reply.code(304).send();
  }
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
  const part = method === 'GET' && isSame ? parseRange(headers.range, body.bytes) : null;
  const [from, until] = part ?? [0, body.bytes];
  if (part !== null) reply.code(206).header('content-range', `bytes ${from}-${until - 1}/${body.bytes}`);
  reply.header('content-length', until - from);
  // An empty text would set the content length to 0.
  return reply.send(method === 'HEAD' ? Readable.from([]) : body.open(from, until));
}

/** Returns the range of bytes of a `Range` header; null if the whole content is to be sent. Throws `range_not_satisfiable`. */
function parseRange(header: string | undefined, bytes: number): ByteRange | null {
  const found = header?.match(/^bytes=(?:(\d+)-(\d*)|-(\d+))$/i);
  if (found == null) return null;
  const [, first, last, suffix] = found;
  const from = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const until = last === undefined || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  if (first !== undefined && last !== undefined && last !== '' && Number(last) < Number(first)) return null;
  if (from < until) return [from, until];
  throw new AssayError(
    'range_not_satisfiable',
    `the requested range is outside the ${bytes} bytes of the content`,
    {
      advice: 'omit Range to get all of it',
      details: { bytes },
    },
  );
}

/** Request, reply and options of an answer. */
interface ReplyContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Parsed path parameters. */
  readonly params: PathParams;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly heartbeat_ms: number;
  readonly background: BackgroundWork;
  /** Status code. Defaults to that of the operation. */
  readonly status?: number;
}

/**
 * Returns events as a `text/event-stream`. The next event is read when the connection has room; a comment is sent
 * after every `heartbeat_ms` of silence; the stream ends when the source ends or `signal` aborts.
 */
function eventStream(events: AsyncIterable<ServerSentEvent>, streaming: Streaming): Readable {
  return Readable.from(streamChunks(events[Symbol.asyncIterator](), streaming), { objectMode: false });
}

type Streaming = Pick<ReplyContext, 'signal' | 'heartbeat_ms' | 'background'>;

async function* streamChunks(
  events: AsyncIterator<ServerSentEvent>,
  { signal, heartbeat_ms, background }: Streaming,
): AsyncGenerator<string> {
  yield ': open\n\n';
  let next = events.next();
  try {
    while (!signal.aborted) {
      const got = await nextOrTimeout(next, signal, heartbeat_ms);
      if (got === 'aborted' || (got !== 'silent' && got.done)) return;
      if (got === 'silent') {
        yield ': still here\n\n';
        continue;
      }
      next = events.next();
      yield formatEvent(got.value);
    }
  } finally {
    next.catch(() => {});
    // Not awaited, because a source that waits for its next event ends only by its signal.
    background.track(Promise.resolve(events.return?.()));
  }
}

async function nextOrTimeout(
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

/** Formats an event. JSON has no unescaped line breaks, so `data` is one line. */
function formatEvent({ id, event, data }: ServerSentEvent): string {
  const lines = id === undefined ? [] : [`id: ${id.replaceAll(/[\r\n\0]/g, '')}`];
  return `${[...lines, `event: ${event}`, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}
