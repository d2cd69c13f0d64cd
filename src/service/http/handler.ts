import type { Readable } from 'node:stream';
import type { Operation, OperationInput, OperationOutput } from '#core/api';
import type { Call, SerializedAnswer } from '#service/operations';
import type { Store } from '#store';
import type { Metrics } from './metrics.ts';

/** Content of known length that supports range requests. */
export interface RangedBody {
  readonly bytes: number;
  /** Opens the bytes from `from` to `until`, excluding `until`. */
  open(from: number, until: number): Readable;
}

/** An answer that is not JSON; a stream ends the answer when it ends. */
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

/** An answer about an existing object, for operations with another status code for those than for new ones. */
export class ExistingAnswer<Answer> {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}

/** An answer that sets the browser's session cookie to a token, or removes it if the token is null. */
export class SessionAnswer<Answer> {
  readonly answer: Answer;
  readonly token: string | null;
  readonly expires_at: Date | null;

  constructor(answer: Answer, token: string | null, expires_at: Date | null = null) {
    this.answer = answer;
    this.token = token;
    this.expires_at = expires_at;
  }
}

/** Parts of a request that its handler receives. */
export interface RequestContext {
  readonly store: Store;
  readonly call: Call;
  readonly metrics: Metrics;
  /** Token of the session cookie; null if there is none or another site sent the request. */
  readonly session_token: string | null;
  /** Request headers with lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

type Answer<Row extends Operation> = Row['success'] extends {
  readonly content_type: 'text/event-stream';
}
  ? AsyncIterable<ServerSentEvent>
  : Row['success'] extends { readonly content_type: string }
    ? BytesAnswer
    : Row['success'] extends { readonly found: number }
      ? OperationOutput<Row> | ExistingAnswer<OperationOutput<Row>>
      : OperationOutput<Row> | SerializedAnswer<OperationOutput<Row>> | SessionAnswer<OperationOutput<Row>>;

/** Answers parsed input by calling one operation; contains no logic of its own. */
export type Handler<Row extends Operation> = (
  served: RequestContext,
  input: OperationInput<Row>,
) => Promise<Answer<Row>>;

/** A handler of any operation; its input was parsed by that operation's schemas. */
export type AnyHandler = (served: RequestContext, input: never) => Promise<unknown>;

/** Handlers for every operation of a list; a missing one is a compile error. */
export type HandlersOf<Rows extends readonly Operation[]> = {
  readonly [Row in Rows[number] as Row['id']]: Handler<Row>;
};

/**
 * Returns the `Last-Event-ID` header (the first, if there are several), after which a reconnecting client resumes its stream;
 * undefined without one.
 */
export function readLastEventId(headers: RequestContext['headers']): string | undefined {
  const sent = headers['last-event-id'];
  return Array.isArray(sent) ? sent[0] : sent;
}
