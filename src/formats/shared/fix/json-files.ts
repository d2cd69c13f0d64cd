import { readFile } from 'node:fs/promises';
import {
  type JsonObject,
  type JsonValue,
  parseTolerantJson,
  parseTolerantJsonLines,
  wrapReadError,
} from '#core';

/** A JSON file for partial edits: unchanged parts, including the notation of numbers, are written back as they were. */
export class JsonDocument {
  readonly path: string;
  readonly value: JsonObject;
  readonly #raw: Record<string, JsonValue>;
  readonly #indent: number;
  readonly #newline: string;
  /** Descriptions of parts that are not standard JSON; `text` leaves them out. */
  readonly oddities: readonly string[];
  /** The oddities on which Python's `json.load` fails. */
  readonly refused: readonly string[];
  changed: boolean;

  private constructor(bytes: Buffer, path: string) {
    const { value, oddities, refused } = parseTolerantJson(bytes, path);
    const text = bytes.toString();
    this.path = path;
    this.value = asObject(value, path);
    this.#raw = oddities.length > 0 ? structuredClone(this.value) : asObject(parseKeepingNumbers(text), path);
    this.#indent = /^\s*\{\r?\n( +)"/.exec(text)?.[1].length ?? 0;
    this.#newline = text.endsWith('\n') ? '\n' : '';
    this.oddities = oddities;
    this.refused = refused;
    this.changed = oddities.length > 0;
  }

  /** Reads a JSON file; throws AssayError naming `path` if it cannot be read or holds no object. */
  static async read(absolute: string, path: string): Promise<JsonDocument> {
    const bytes = await readFile(absolute).catch((thrown: unknown) => {
      throw wrapReadError(thrown, path);
    });
    return new JsonDocument(bytes, path);
  }

  /** Parses a JSON document from text; throws AssayError if it holds no object. */
  static fromText(text: string, path: string): JsonDocument {
    return new JsonDocument(Buffer.from(text), path);
  }

  /**
   * Sets a nested member, or deletes it if the value is undefined; does nothing if a parent is missing. Only memory is
   * changed; `text` returns the result.
   */
  set(keys: readonly string[], value: JsonValue | undefined): void {
    for (const root of [this.value, this.#raw]) {
      let at = root as Record<string, JsonValue>;
      for (const key of keys.slice(0, -1)) {
        const next = at[key];
        if (typeof next !== 'object' || next === null) return;
        at = next as Record<string, JsonValue>;
      }
      const last = keys[keys.length - 1];
      if (value === undefined) delete at[last];
      else at[last] = value;
    }
    this.changed = true;
  }

  /** Returns the document as text, with the indentation and final newline of the original. */
  text(): string {
    const text =
      this.#indent > 0
        ? JSON.stringify(this.#raw, null, this.#indent)
        : formatJsonLine(this.#raw as JsonValue);
    return `${text}${this.#newline}`;
  }
}

/** Formats JSON on one line with the spacing of Python's `json.dumps`. */
export function formatJsonLine(value: JsonValue): string {
  const spread = JSON.stringify(value, null, 1);
  return spread.replace(/\n */g, (_, at: number) => (spread[at - 1] === ',' ? ' ' : ''));
}

interface RawJson {
  rawJSON?: (text: string) => JsonValue;
}

/** Parses JSON, keeping the notation of numbers: 30.0 stays 30.0. */
function parseKeepingNumbers(text: string): JsonValue {
  const { rawJSON } = JSON as RawJson;
  if (rawJSON === undefined) return JSON.parse(text) as JsonValue;
  const keep = (_: string, value: JsonValue, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;
  return JSON.parse(text, keep) as JsonValue;
}

function asObject(value: JsonValue, path: string): JsonObject {
  if (isObject(value)) return value;
  throw wrapReadError(new Error(`${path} is not a JSON object`), path, 'restore the file');
}

/** True for a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A line of a JSON lines file that holds an object. */
interface JsonLine {
  /** Line to write: the original text, or standard JSON if the file contains anything else. */
  readonly line: string;
  readonly members: JsonObject;
}

/**
 * Returns the lines of a JSON lines file that hold objects; adds what standard JSON or readers of such files do not
 * allow to `oddities` under `path`. Lines that are not JSON are left out; their count is an oddity.
 */
export function readJsonLines(
  bytes: Buffer,
  path: string,
  oddities: Map<string, readonly string[]>,
): JsonLine[] {
  const { values, bad_lines, ...found } = parseTolerantJsonLines(bytes, path);
  const odd = [...new Set([...found.oddities, ...found.refused])];
  if (bad_lines.length > 0)
    odd.push(`${bad_lines.length} ${bad_lines.length === 1 ? 'line' : 'lines'} with invalid JSON`);
  if (odd.length > 0) oddities.set(path, odd);
  const lines = odd.length > 0 ? values.map(formatJsonLine) : bytes.toString().split(/\r\n?|\n/);
  return values.flatMap((members, at) => (isObject(members) ? [{ line: lines[at], members }] : []));
}
