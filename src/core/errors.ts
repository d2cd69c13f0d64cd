import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { JsonObject } from './json.ts';
import { isMachineFault, noteMachineFault } from './machine-faults.ts';

export interface ErrorContext {
  /** The file or folder concerned, as the user would name it. */
  readonly path?: string;
  /** Where inside the file: a byte offset, a row, a record, a JSON pointer. */
  readonly place?: string;
  /** What the reader of the message can do next. */
  readonly advice?: string;
  /** Structured members for a program that reads the answer, such as `required_role`. */
  readonly details?: JsonObject;
  readonly cause?: unknown;
}

/** The only error class of the project: a code of the closed list, and what, where, and what to do. */
export class AssayError extends Error {
  readonly code: ErrorCode;
  readonly path: string | null;
  readonly place: string | null;
  readonly advice: string | null;
  readonly details: JsonObject;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'AssayError';
    this.code = code;
    this.path = context.path ?? null;
    this.place = context.place ?? null;
    this.advice = context.advice ?? null;
    this.details = context.details ?? {};
  }

  get exitCode(): 1 | 2 | 3 | 4 {
    return errorCodes[this.code].exit;
  }
}

/** The message of anything thrown, without its stack. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Wraps whatever was thrown while `path` was being read; an AssayError passes unchanged. What the machine lacks now is
 * `unfinished`, and noted for `watchMachine`.
 */
export function asUnreadable(thrown: unknown, path: string, advice?: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  if (isMachineFault(thrown)) return noteMachineFault(unfinished(thrown, path));
  const code = systemErrorCode(thrown);
  const context = { path, cause: thrown, ...(advice === undefined ? {} : { advice }) };
  return new AssayError(code ?? 'unreadable_input', said(code, path) ?? messageOf(thrown), context);
}

function unfinished(thrown: unknown, path: string): AssayError {
  return new AssayError('unfinished', `${path} could not be read here: ${messageOf(thrown)}`, {
    path,
    cause: thrown,
    advice: 'see to disk, memory and open files of this machine, then do it again',
  });
}

/** The two faults everybody meets, in words instead of the system's. */
function said(code: ErrorCode | null, path: string): string | null {
  if (code === 'not_found') return `there is no file or folder ${path}`;
  return code === 'not_permitted' ? `${path} may not be opened by this user` : null;
}

function systemErrorCode(thrown: unknown): ErrorCode | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return 'not_found';
  if (thrown.code === 'EACCES' || thrown.code === 'EPERM') return 'not_permitted';
  return null;
}
