import type { ErrorCode } from './generated/operations.ts';
import type { JsonValue } from './generated/types.ts';

/**
 * What went wrong before a service could say so: nothing answered, nothing answered in time, or something else than the
 * service answered, such as a proxy.
 */
export type ClientCode = 'unreachable' | 'timed_out' | 'unexpected_answer';

/** Where a request was wrong: a JSON pointer such as `/body/name`. */
export interface WrongPlace {
  readonly pointer: string;
  readonly message: string;
}

interface ErrorFacts {
  /** Null where nothing answered. */
  readonly status?: number | null;
  readonly advice?: string | null;
  readonly errors?: readonly WrongPlace[];
  readonly details?: Readonly<Record<string, JsonValue>>;
  readonly request_id?: string | null;
  readonly retry_after_s?: number | null;
  readonly cause?: unknown;
}

/** Why a call did not do what was asked. The only error that the client throws, beside the reason of an aborted signal. */
export class AssayApiError extends Error {
  /** From the contract's closed list, or the client's own. */
  readonly code: ErrorCode | ClientCode;
  /** HTTP status; null where nothing answered. */
  readonly status: number | null;
  /** What to do next. */
  readonly advice: string | null;
  /** What of the request was wrong. */
  readonly errors: readonly WrongPlace[];
  /** Members that some codes have, such as `required_role`. */
  readonly details: Readonly<Record<string, JsonValue>>;
  /** Names the request in the service's logs. */
  readonly request_id: string | null;
  /** How long the service asks to wait before a next try. */
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
