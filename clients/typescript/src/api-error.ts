import type { ErrorCode } from './generated/operations.ts';
import type { JsonValue } from './generated/types.ts';

/**
 * Codes of errors that do not come from the service: no answer, no answer in time, or an answer of something else, such
 * as a proxy.
 */
export type ClientCode = 'unreachable' | 'timed_out' | 'unexpected_answer';

/** Invalid part of a request, as a JSON pointer such as `/body/name`. */
export interface WrongPlace {
  readonly pointer: string;
  readonly message: string;
}

interface ErrorFacts {
  /** Null without an answer. */
  readonly status?: number | null;
  readonly advice?: string | null;
  readonly errors?: readonly WrongPlace[];
  readonly details?: Readonly<Record<string, JsonValue>>;
  readonly request_id?: string | null;
  readonly retry_after_s?: number | null;
  readonly cause?: unknown;
}

/** Error of a call. The only error that the client throws, apart from the reason of an aborted signal. */
export class AssayApiError extends Error {
  /** A code of the API, or one of the client itself. */
  readonly code: ErrorCode | ClientCode;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** What to do about the error; null if there is no advice. */
  readonly advice: string | null;
  /** Invalid parts of the request. */
  readonly errors: readonly WrongPlace[];
  /** Additional members of some codes, such as `required_role`. */
  readonly details: Readonly<Record<string, JsonValue>>;
  /** Id of the request in the service’s logs. */
  readonly request_id: string | null;
  /** Seconds that the service asks to wait before a retry; null if it does not ask. */
  readonly retry_after_s: number | null;

  constructor(code: ErrorCode | ClientCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'AssayApiError';
    this.code = code;
    this.status = facts.status ?? null;
    this.advice = facts.advice ?? null;
    this.errors = facts.errors ?? [];
    this.details = facts.details ?? {};
    this.request_id = facts.request_id ?? null;
    this.retry_after_s = facts.retry_after_s ?? null;
  }
}
