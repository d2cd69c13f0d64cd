import { AssayError } from './errors.ts';

const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/**
 * Serialises plain data as RFC 8785 canonical JSON (JCS), without members that are `undefined`: members sorted by UTF-16
 * code units, ECMAScript number printing, no white space.
 *
 * @throws AssayError `internal` for what I-JSON cannot carry (NaN, infinities, lone surrogates, anything but plain data),
 * because two readers would hash different bytes.
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
  if (loneSurrogate.test(value)) throw notJson('a lone surrogate');
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
