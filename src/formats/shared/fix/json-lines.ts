import { type JsonObject, parseTolerantJsonLines } from '#core';
import { isObject, lineOfJson } from './json-document.ts';

/** A line of a file of JSON lines that holds an object. */
interface JsonLine {
  /** The line to write: the original text, or standard JSON if anything in the file is not. */
  readonly line: string;
  readonly members: JsonObject;
}

/**
 * Reads a file of JSON lines for a fix. Adds to `oddities`, under `path`, what standard JSON or readers of such files do not
 * allow. Leaves out lines that are not JSON, and counts them there.
 */
export function readJsonLines(
  bytes: Buffer,
  path: string,
  oddities: Map<string, readonly string[]>,
): JsonLine[] {
  const { values, bad_lines, ...found } = parseTolerantJsonLines(bytes, path);
  const odd = [...new Set([...found.oddities, ...found.refused])];
  if (bad_lines.length > 0) odd.push(`${bad_lines.length} lines that are not JSON`);
  if (odd.length > 0) oddities.set(path, odd);
  const lines = odd.length > 0 ? values.map(lineOfJson) : bytes.toString().split(/\r\n?|\n/);
  return values.flatMap((members, at) => (isObject(members) ? [{ line: lines[at], members }] : []));
}
