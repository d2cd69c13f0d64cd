import { addressOf } from './address.ts';
import { AssayApiError } from './api-error.ts';
import type { Calls, Row } from './calls.ts';
import { followStream } from './event-stream.ts';
import { nouns } from './generated/nouns.ts';
import type { OperationId, Operations } from './generated/operations.ts';
import { rows } from './generated/rows.ts';
import type { CallOptions, ClientOptions, StreamOptions } from './options.ts';
import { createSender, type Outgoing, patienceOf, type Sender } from './sender.ts';
import { type Upload, type UploadOptions, uploadFile } from './upload.ts';

/** An answer with its status and headers. */
export interface Answer<T> {
  readonly value: T;
  /** 200, 201, 202 or 204. */
  readonly status: number;
  /** Entity tag, for `askIfChanged`; null if the operation has none. */
  readonly etag: string | null;
  readonly request_id: string | null;
}

/** A client of one service. Operations are grouped by resource: `client.runs.start({ … })`. */
export interface AssayClient extends ReturnType<typeof nouns> {
  /** Address of the service, without a trailing slash. */
  readonly address: string;
  /** Calls an operation by its id and returns its answer with status and headers. */
  ask<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    options?: CallOptions,
  ): Promise<Answer<Operations[Id]['answer']>>;
  /** Works like `ask`; null if the answer still has this entity tag. */
  askIfChanged<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    etag: string,
    options?: CallOptions,
  ): Promise<Answer<Operations[Id]['answer']> | null>;
  /** Returns the answer unparsed, for example a receipt to verify or a table to store. */
  download<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    options?: CallOptions,
  ): Promise<Response>;
  /** Uploads a file to a source of kind `upload`; resumes after interruptions. */
  upload(file: Upload, options?: UploadOptions): Promise<void>;
}

/** Creates a client of a service. It sends no request until an operation is called. */
export function createClient(options: ClientOptions): AssayClient {
  const sender = createSender(options);
  const own = errorOf(options);
  const rejectWithOwn = (thrown: unknown) => Promise.reject(own(thrown));
  const ask: AssayClient['ask'] = (id, input, more = {}) =>
    send(sender, id, input, more, {}, read<typeof id>).catch(rejectWithOwn);
  const calls: Calls = {
    call: async (id, input, more) => (await ask(id, input, more)).value,
    follow: (id, input, more = {}) => follow(sender, id, input, more, options),
  };
  return {
    ...nouns(calls),
    address: options.address.replace(/\/+$/, ''),
    ask,
    askIfChanged: (id, input, etag, more = {}) =>
      send(sender, id, input, more, { 'if-none-match': etag }, (answer, row) =>
        answer.status === 304 ? null : read<typeof id>(answer, row),
      ).catch(rejectWithOwn),
    download: (id, input, more = {}) =>
      send(sender, id, input, more, {}, (answer) => answer).catch(rejectWithOwn),
    upload: (file, more = {}) => uploadFile(sender, file, more).catch(rejectWithOwn),
  };
}

function send<T>(
  sender: Sender,
  id: OperationId,
  input: object,
  options: CallOptions,
  headers: Readonly<Record<string, string>>,
  read: (answer: Response, row: Row) => Promise<T> | T,
): Promise<T> {
  const row = rows[id];
  return sender.send(outgoingOf(row, input, options, headers), options, (answer) => read(answer, row));
}

/** Reads an answer. Its type is not checked here: the tests of the service check it. */
async function read<Id extends OperationId>(
  answer: Response,
  { kind }: Row,
): Promise<Answer<Operations[Id]['answer']>> {
  const { status, headers } = answer;
  const value: unknown = kind === 'json' ? await answer.json() : kind === 'bytes' ? answer : undefined;
  return {
    value: value as Operations[Id]['answer'],
    status,
    etag: headers.get('etag'),
    request_id: headers.get('x-request-id'),
  };
}

function outgoingOf(
  row: Row,
  input: object,
  { idempotency_key, range, request_id }: Pick<CallOptions, 'idempotency_key' | 'range' | 'request_id'>,
  more: Readonly<Record<string, string>> = {},
): Outgoing {
  const { method, keyed } = row;
  const { path, body } = addressOf(row, { ...input });
  const headers = {
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(keyed === true ? { 'idempotency-key': idempotency_key ?? newKey() } : {}),
    ...(range === undefined ? {} : { range: `bytes=${range.from}-`, 'if-range': range.etag }),
    ...(request_id === undefined ? {} : { 'x-request-id': request_id }),
    ...more,
  };
  return { method, path, headers, body, may_repeat: method !== 'POST' || keyed === true };
}

/** Returns a random key. `crypto.randomUUID` is missing in pages loaded over plain HTTP. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

async function* follow<Id extends OperationId>(
  sender: Sender,
  id: Id,
  input: object,
  options: StreamOptions,
  client: ClientOptions,
): AsyncGenerator<Operations[Id]['answer']> {
  const outgoing = outgoingOf(rows[id], input, options, { accept: 'text/event-stream' });
  const patience = {
    ...patienceOf(client),
    ...(options.tries === undefined ? {} : { tries: options.tries }),
  };
  try {
    for await (const event of followStream(sender, outgoing, options, patience))
      yield event as Operations[Id]['answer'];
  } catch (thrown) {
    throw errorOf(client)(thrown);
  }
}

/** Returns a function that converts errors by `map_error`. */
const errorOf =
  ({ map_error }: ClientOptions) =>
  (thrown: unknown): unknown =>
    thrown instanceof AssayApiError && map_error !== undefined ? map_error(thrown) : thrown;
