import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { JsonObject } from './json.ts';
import { isMachineFault, noteMachineFault } from './machine-faults.ts';

export interface ErrorContext {
  /** The file or folder concerned, as the user would name it. */
  readonly path?: string;
  /** Place inside the file: a byte offset, a row, a record, a JSON pointer. */
  readonly place?: string;
  /** The next thing that the reader of the message can do. */
  readonly advice?: string;
  /** Structured members for a program that reads the answer, such as `required_role`. */
  readonly details?: JsonObject;
  readonly cause?: unknown;
}

/** The only error class of the project: a code of `errorCodes`, the message, where it happened, and what to do next. */
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

  /** Exit code of the command line for this error's code. */
  get exitCode(): 1 | 2 | 3 | 4 {
    return errorCodes[this.code].exit;
  }
}

/** Returns the message of a thrown error without its stack; for any other thrown value, the value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Converts an error thrown while reading `path` to an AssayError: `not_found`, `not_permitted`, `unfinished` for a
 * fault of the machine, else `unreadable_input`; returns an AssayError unchanged. A fault of the machine (disk full,
 * too many open files) is also recorded for `watchMachine`.
 */
export function wrapReadError(thrown: unknown, path: string, advice?: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  if (isMachineFault(thrown)) return noteMachineFault(unfinished(thrown, path));
  const code = systemErrorCode(thrown);
  const context = { path, cause: thrown, ...(advice === undefined ? {} : { advice }) };
  return new AssayError(
    code ?? 'unreadable_input',
    systemErrorText(code, path) ?? messageOf(thrown),
    context,
  );
}

function unfinished(thrown: unknown, path: string): AssayError {
  return new AssayError('unfinished', `cannot read ${path}: ${messageOf(thrown)}`, {
    path,
    cause: thrown,
    advice: 'check free disk space, memory and the open-file limit of this machine, then retry',
  });
}

/** Returns a plain message for the two most common system errors, or `null` for others. */
function systemErrorText(code: ErrorCode | null, path: string): string | null {
  if (code === 'not_found') return `no such file or folder: ${path}`;
  return code === 'not_permitted' ? `permission denied: ${path}` : null;
}

function systemErrorCode(thrown: unknown): ErrorCode | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return 'not_found';
  if (thrown.code === 'EACCES' || thrown.code === 'EPERM') return 'not_permitted';
  return null;
}
