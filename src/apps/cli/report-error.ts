import { basename } from 'node:path';
import { AssayError, errorCodes, messageOf } from '#core';
import type { Io } from './io.ts';
import { printable } from './printable.ts';

/** Says what went wrong, where, and what to do; gives the exit code. A stack is for faults of the program only. */
export async function reportError(thrown: unknown, io: Io, json: boolean): Promise<number> {
  const error =
    thrown instanceof AssayError ? thrown : new AssayError('internal', messageOf(thrown), { cause: thrown });
  if (json) {
    const { code, message, path, place, advice } = error;
    await io.out(`${JSON.stringify({ error: { code, message, path, place, advice } })}\n`);
  }
  const { title } = errorCodes[error.code];
  io.note(printable(`assay: ${saysAgain(title, error.message) ? '' : `${title}: `}${saidOf(error)}\n`));
  if (error.place !== null && error.code !== 'internal') io.note(printable(`       at ${error.place}\n`));
  if (error.advice !== null) io.note(printable(`       ${error.advice}\n`));
  if (error.code === 'internal') {
    io.note(`       please report this; it happened at\n${stackOf(error)}\n`);
  }
  return error.exitCode;
}

/** The message with its path, once: `a/b.mcap: b.mcap is empty` is `a/b.mcap is empty`. */
function saidOf({ path, message }: AssayError): string {
  if (path === null || message.includes(path)) return message;
  const name = basename(path);
  return message.startsWith(`${name} `) ? path + message.slice(name.length) : `${path}: ${message}`;
}

/** Whether a message has every word of its title: the data folder is in use, the data folder X is in use by Y. */
function saysAgain(title: string, message: string): boolean {
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
