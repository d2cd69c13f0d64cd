import type { Readable } from 'node:stream';
import type { Operation, OperationInput, OperationOutput } from '#core/api';
import type { Call, Written } from '#service/operations';
import type { Store } from '#store';
import type { Metrics } from './metrics.ts';

/** Bytes of which a part can be asked for. */
export interface RangedBody {
  readonly bytes: number;
  /** From the first byte up to the second, which is not among them. */
  open(from: number, until: number): Readable;
}

/** Bytes of another type than JSON; ends the connection's answer when the stream ends. */
export interface BytesAnswer {
  readonly content_type: string;
  readonly body: Uint8Array | string | Readable | RangedBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One event of a `text/event-stream`; `id` lets a client resume with `Last-Event-ID`. */
export interface ServerSentEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/** An answer that says what was there already, where the operation's row tells that from what is new. */
export class Found<Answer> {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}

/** An answer that signs a browser in with a token, or out with null. */
export class WithSession<Answer> {
  readonly answer: Answer;
  readonly token: string | null;
  readonly expires_at: Date | null;

  constructor(answer: Answer, token: string | null, expires_at: Date | null = null) {
    this.answer = answer;
    this.token = token;
    this.expires_at = expires_at;
  }
}

export interface Served {
  readonly store: Store;
  readonly call: Call;
  readonly metrics: Metrics;
  /** Of the browser's cookie, where a page of this service sent it. */
  readonly session_token: string | null;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

type Answer<Row extends Operation> = Row['success'] extends {
  readonly content_type: 'text/event-stream';
}
  ? AsyncIterable<ServerSentEvent>
  : Row['success'] extends { readonly content_type: string }
    ? BytesAnswer
    : Row['success'] extends { readonly found: number }
      ? OperationOutput<Row> | Found<OperationOutput<Row>>
      : OperationOutput<Row> | Written<OperationOutput<Row>> | WithSession<OperationOutput<Row>>;

/** Turns parsed input into an answer by calling one use case; decides nothing itself. */
export type Handler<Row extends Operation> = (
  served: Served,
  input: OperationInput<Row>,
) => Promise<Answer<Row>>;

/** Any row's handler, as the server keeps them: what it is given was parsed by that row. */
export type AnyHandler = (served: Served, input: never) => Promise<unknown>;

/** A handler for every operation of a list: a missing one does not compile. */
export type HandlersOf<Rows extends readonly Operation[]> = {
  readonly [Row in Rows[number] as Row['id']]: Handler<Row>;
};
