import { basename } from 'node:path';
import { AssayError, errorCodes, messageOf } from '#core';
import type { Io } from './io.ts';
import { printable } from './text.ts';

/**
 * Prints an error with its location and advice, and returns its exit code. A stack is printed for internal errors only.
 */
export async function reportError(thrown: unknown, io: Io, json: boolean): Promise<number> {
  const error =
    thrown instanceof AssayError ? thrown : new AssayError('internal', messageOf(thrown), { cause: thrown });
  if (json) {
    const { code, message, path, place, advice } = error;
    await io.out(`${JSON.stringify({ error: { code, message, path, place, advice } })}\n`);
  }
  const { title } = errorCodes[error.code];
  io.note(
    printable(`assay: ${repeatsTitle(title, error.message) ? '' : `${title}: `}${messageWithPath(error)}\n`),
  );
  if (error.place !== null && error.code !== 'internal') io.note(printable(`       at ${error.place}\n`));
  if (error.advice !== null) io.note(printable(`       ${error.advice}\n`));
  if (error.code === 'internal') {
    io.note(`       this is a bug in Assay; please report it with this stack trace:\n${stackOf(error)}\n`);
  }
  return error.exitCode;
}

/**
 * Returns the message prefixed with its path, without naming the file twice: `a/b.mcap: b.mcap is empty` becomes
 * `a/b.mcap is empty`.
 */
function messageWithPath({ path, message }: AssayError): string {
  if (path === null || message.includes(path)) return message;
  const name = basename(path);
  return message.startsWith(`${name} `) ? path + message.slice(name.length) : `${path}: ${message}`;
}

/** Returns `true` if the message contains every word of the title, so that the title need not be printed. */
function repeatsTitle(title: string, message: string): boolean {
  const words = new Set(message.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return title
    .toLowerCase()
    .split(' ')
    .every((word) => words.has(word));
}

function stackOf(error: AssayError): string {
  const { cause } = error;
  return error.place ?? (cause instanceof Error ? cause.stack : error.stack) ?? '';
}
