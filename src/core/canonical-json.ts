import { createHash, hash } from 'node:crypto';
import { AssayError } from './errors.ts';

/**
 * Serialises plain data as RFC 8785 canonical JSON (JCS), omitting members that are `undefined`, and throws
 * `internal` for data that I-JSON cannot carry. Members are sorted by UTF-16 code units, numbers printed as in
 * ECMAScript, without white space.
 *
 * @throws AssayError `internal` for NaN, infinities, lone surrogates and anything but plain data, because two readers
 * would hash different bytes.
 */
export function canonicalJson(value: unknown): string {
  if (isOrdered(value)) {
    const json = JSON.stringify(value);
    // JSON.stringify escapes a lone surrogate instead of refusing it; the slow way tells it from a text that says so.
    if (!json.includes('\\ud')) return json;
  }
  return written(value);
}

/** Returns true if JSON.stringify prints the canonical text: plain data, finite numbers, members already sorted. */
function isOrdered(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return value - value === 0;
    case 'object':
      if (value === null) return true;
      return Array.isArray(value) ? isOrderedArray(value) : isOrderedObject(value);
    default:
      return false;
  }
}

function isOrderedArray(items: readonly unknown[]): boolean {
  for (let i = 0; i < items.length; i++) if (!isOrdered(items[i])) return false;
  return true;
}

function isOrderedObject(value: object): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  const members = value as Record<string, unknown>;
  let before = '';
  for (const key in members) {
    if (key < before || key === 'toJSON') return false;
    const member = members[key];
    if (member !== undefined && !isOrdered(member)) return false;
    before = key;
  }
  return true;
}

function written(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      return finite(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? array(value) : object(value);
    default:
      throw notJson(typeof value);
  }
}

function finite(value: number): string {
  if (!Number.isFinite(value)) throw notJson(String(value));
  return Object.is(value, -0) ? '0' : String(value);
}

function text(value: string): string {
  if (!value.isWellFormed()) throw notJson('a lone surrogate');
  return JSON.stringify(value);
}

function array(items: readonly unknown[]): string {
  let out = '[';
  for (let i = 0; i < items.length; i++) out += (i === 0 ? '' : ',') + written(items[i]);
  return `${out}]`;
}

function object(value: object): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson(value.constructor.name);
  const members = value as Record<string, unknown>;
  let out = '{';
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    out += `${out.length === 1 ? '' : ','}${text(key)}:${written(member)}`;
  }
  return `${out}}`;
}

function notJson(what: string): AssayError {
  return new AssayError('internal', `canonical JSON cannot represent ${what}`);
}

/**
 * Yields `canonicalJson(value)` in pieces, one per member and one per element of members that are lists, so that only
 * one piece is in memory at a time.
 */
export function* canonicalParts(value: object): Generator<string> {
  let opening = '{';
  for (const [name, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (member === undefined) continue;
    const head = `${opening}${canonicalJson(name)}:`;
    opening = ',';
    if (!Array.isArray(member)) {
      yield `${head}${canonicalJson(member)}`;
      continue;
    }
    yield `${head}[`;
    for (let i = 0; i < member.length; i++) yield `${i === 0 ? '' : ','}${canonicalJson(member[i])}`;
    yield ']';
  }
  yield opening === '{' ? '{}' : '}';
}

/** Returns the SHA-256 (lower-case hexadecimal) of the concatenated parts as UTF-8. A part must not end within a surrogate pair. */
export function sha256OfParts(parts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part, 'utf8');
  return hash.digest('hex');
}

/** Returns the SHA-256 of a text (as UTF-8) or of bytes, in lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
