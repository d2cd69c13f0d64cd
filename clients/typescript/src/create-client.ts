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

/** What was answered, and how. */
export interface Answer<T> {
  readonly value: T;
  /** 200, 201, 202 or 204. */
  readonly status: number;
  /** For asking later whether anything has changed. */
  readonly etag: string | null;
  readonly request_id: string | null;
}

/** A client of one service. Operations are under what they are about: `client.runs.start({ … })`. */
export interface AssayClient extends ReturnType<typeof nouns> {
  /** Where the service answers. */
  readonly address: string;
  /** As the operation's function, with the status and the headers of the answer. */
  ask<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    options?: CallOptions,
  ): Promise<Answer<Operations[Id]['answer']>>;
  /** As `ask`, but null where what the entity tag names is still so. */
  askIfChanged<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    etag: string,
    options?: CallOptions,
  ): Promise<Answer<Operations[Id]['answer']> | null>;
  /** The answer's bytes as they came: a receipt to be verified, a table to be stored. */
  download<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    options?: CallOptions,
  ): Promise<Response>;
  /** Sends a file to a source of kind `upload`; goes on where it stopped when the connection breaks. */
  upload(file: Upload, options?: UploadOptions): Promise<void>;
}

/** A client of the service at an address. Nothing is asked before an operation is. */
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

/** What the operations' types say of an answer is held by the service's own tests. */
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
  { idempotency_key, range, request_id }: CallOptions,
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

/** `crypto.randomUUID` is not there in pages that came over plain HTTP. */
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
  const outgoing = outgoingOf(rows[id], input, {}, { accept: 'text/event-stream' });
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

/** Errors as the program wants them. */
const errorOf =
  ({ map_error }: ClientOptions) =>
  (thrown: unknown): unknown =>
    thrown instanceof AssayApiError && map_error !== undefined ? map_error(thrown) : thrown;
