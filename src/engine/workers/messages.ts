import { AssayError, type ErrorCode, errorCodes, messageOf } from '#core';

/**
 * Messages that the owner of a worker thread sends to it. The worker answers each request with one answer or failure,
 * one request at a time.
 */
export type ToWorker<Request, Note> =
  | { readonly type: 'request'; readonly request: Request }
  /** One-way message; the worker sends no answer. */
  | { readonly type: 'note'; readonly note: Note }
  /** Abort the current request. */
  | { readonly type: 'cancel' }
  /** Close all resources and return to the initial state. */
  | { readonly type: 'reset' }
  /** Close all resources; the thread is ended afterwards. */
  | { readonly type: 'close' };

/** Messages that a worker thread sends to its owner. */
export type FromWorker<Answer, Event> =
  /** Progress or another event of the current request. */
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** The worker was reset and can be used as if new. */
  | { readonly type: 'was-reset' }
  /** All resources are closed; the thread can be terminated. */
  | { readonly type: 'closed' };

/** An AssayError as plain data, for messages between threads. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
  readonly place: string | null;
  readonly advice: string | null;
}

/**
 * Converts any thrown value to a `Failure`. Values other than AssayErrors become `internal`, with their stack in
 * `place`.
 */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof AssayError) {
    const { code, message, path, place, advice } = thrown;
    return { code, message, path, place, advice };
  }
  const stack = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : messageOf(thrown);
  return { code: 'internal', message: messageOf(thrown), path: null, place: stack, advice: null };
}

/** Converts a `Failure` back to an AssayError. Unknown codes become `internal`. */
export function fromFailure(failure: Failure): AssayError {
  const code: ErrorCode = failure.code in errorCodes ? (failure.code as ErrorCode) : 'internal';
  return new AssayError(code, failure.message, {
    ...(failure.path === null ? {} : { path: failure.path }),
    ...(failure.place === null ? {} : { place: failure.place }),
    ...(failure.advice === null ? {} : { advice: failure.advice }),
  });
}
