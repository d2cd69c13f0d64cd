import { type JsonObject, parseTolerantJsonLines } from '#kernel';
import { isObject, lineOfJson } from './json-document.ts';

/** A line of a file of JSON lines that holds an object. */
interface JsonLine {
  /** As it is to be written: as it was, or as standard JSON where something in the file is none. */
  readonly line: string;
  readonly members: JsonObject;
}

/**
 * Reads a file of JSON lines that is to be written again. What standard JSON or the readers of such files do not allow is put
 * into `oddities`, by path; lines that are not JSON are among it, and left out.
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
