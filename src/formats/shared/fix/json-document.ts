import { readFile } from 'node:fs/promises';
import { asUnreadable, type JsonObject, type JsonValue, parseTolerantJson } from '#core';

/** A JSON file that is changed in places: what is not changed is written again as it was, numbers digit by digit. */
export class JsonDocument {
  readonly path: string;
  readonly value: JsonObject;
  readonly #raw: Record<string, JsonValue>;
  readonly #indent: number;
  readonly #newline: string;
  /** Parts of the file that standard JSON does not allow, in words; `text` leaves them out. */
  readonly oddities: readonly string[];
  changed: boolean;

  private constructor(bytes: Buffer, path: string) {
    const { value, oddities } = parseTolerantJson(bytes, path);
    const text = bytes.toString();
    this.path = path;
    this.value = asObject(value, path);
    this.#raw = oddities.length > 0 ? structuredClone(this.value) : asObject(rawValue(text), path);
    this.#indent = /^\s*\{\r?\n( +)"/.exec(text)?.[1].length ?? 0;
    this.#newline = text.endsWith('\n') ? '\n' : '';
    this.oddities = oddities;
    this.changed = oddities.length > 0;
  }

  static async read(absolute: string, path: string): Promise<JsonDocument> {
    const bytes = await readFile(absolute).catch((thrown: unknown) => {
      throw asUnreadable(thrown, path);
    });
    return new JsonDocument(bytes, path);
  }

  static of(text: string, path: string): JsonDocument {
    return new JsonDocument(Buffer.from(text), path);
  }

  /** Sets a member, or takes it out where the value is undefined. */
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

  text(): string {
    const text =
      this.#indent > 0 ? JSON.stringify(this.#raw, null, this.#indent) : lineOfJson(this.#raw as JsonValue);
    return `${text}${this.#newline}`;
  }
}

/** On one line, with the spaces that Python's writer leaves. */
export function lineOfJson(value: JsonValue): string {
  const spread = JSON.stringify(value, null, 1);
  return spread.replace(/\n */g, (_, at: number) => (spread[at - 1] === ',' ? ' ' : ''));
}

interface RawJson {
  rawJSON?: (text: string) => JsonValue;
}

/** Numbers keep the text that they were written with: 30.0 stays 30.0. */
function rawValue(text: string): JsonValue {
  const { rawJSON } = JSON as RawJson;
  if (rawJSON === undefined) return JSON.parse(text) as JsonValue;
  const keep = (_: string, value: JsonValue, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;
  return JSON.parse(text, keep) as JsonValue;
}

function asObject(value: JsonValue, path: string): JsonObject {
  if (isObject(value)) return value;
  throw asUnreadable(new Error(`${path} holds no JSON object`), path, 'restore the file');
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
