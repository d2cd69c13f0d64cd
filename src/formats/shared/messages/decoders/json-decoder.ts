import {
  type Extraction,
  type MessageDecoder,
  maxGroupNumbers,
  type StructType,
  type Taps,
} from '@assay/ros-messages';
import { AssayError, messageOf } from '#core';
import { inferType } from './json-shape.ts';
import type { MessageSchema, SchemaSource } from './message-schema.ts';

const utf8 = new TextDecoder('utf-8');
/** Larger messages are not a signal and would take many times their size to parse. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Returns the schema of a JSON channel, inferred from its first message, with its decoder; throws `unreadable_input` if
 * that is not JSON, `limit_exceeded` above 32 MiB.
 */
export function openJsonSchema(text: SchemaSource, first: Uint8Array): MessageSchema {
  if (first.length > maxBytes)
    throw new AssayError('limit_exceeded', `a message is larger than ${maxBytes} bytes`);
  let sample: unknown;
  try {
    sample = parseJson(utf8.decode(first));
  } catch (thrown) {
    throw new AssayError('unreadable_input', `the first message is not valid JSON: ${messageOf(thrown)}`);
  }
  const shape = inferType(sample);
  const root: StructType =
    shape?.kind === 'struct'
      ? { ...shape, name: text.schemaName }
      : {
          kind: 'struct',
          name: text.schemaName,
          fields: shape === null ? [] : [{ name: wholeMessage, type: shape }],
        };
  return { root, compile: (taps) => new JsonDecoder(taps) };
}

/** Field name for a message that is a bare array or number. */
const wholeMessage = 'data';

/** Parses JSON; NaN and Infinity, which Python writes, become null (missing). */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (!/\b(NaN|Infinity)\b/.test(text)) throw thrown;
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) => (part[0] === '"' ? part : 'null')),
    );
  }
}

type PathSteps = readonly string[];

class JsonDecoder implements MessageDecoder, Extraction {
  readonly out: Extraction = this;
  stamped = false;
  stampSec = 0;
  stampNsec = 0;
  namesChanged = false;
  readonly numbers: Float64Array[];
  readonly counts: Int32Array;
  readonly #taps: Taps;
  readonly #paths: readonly (readonly PathSteps[])[];
  #message: unknown = null;
  #names: readonly string[] = [];
  #nameKey: string | null = null;

  constructor(taps: Taps) {
    this.#taps = taps;
    this.#paths = taps.numbers.map(({ paths }) => paths.map((path) => path.split('.')));
    this.numbers = taps.numbers.map(() => new Float64Array(16));
    this.counts = new Int32Array(taps.numbers.length);
  }

  decode(bytes: Uint8Array, _view: DataView, start: number, end: number): boolean {
    if (end - start > maxBytes) return false;
    const text = utf8.decode(bytes.subarray(start, end));
    let message: unknown;
    try {
      message = parseJson(text);
    } catch {
      return false;
    }
    this.#message =
      typeof message === 'object' && message !== null && !Array.isArray(message)
        ? message
        : { [wholeMessage]: message };
    this.counts.fill(0);
    for (let g = 0; g < this.#paths.length; g++) this.#group(g);
    this.#readNames();
    this.#readStamp(text);
    return true;
  }

  text(index: number): string {
    const value = valueAt(this.#message, this.#taps.texts[index].split('.'));
    return typeof value === 'string' ? value : '';
  }

  names(): readonly string[] {
    return this.#names;
  }

  payload(): Uint8Array | null {
    if (this.#taps.payload === null) return null;
    const value = valueAt(this.#message, this.#taps.payload.split('.'));
    if (typeof value === 'string') return Buffer.from(value, 'base64');
    return Array.isArray(value) ? Uint8Array.from(value, Number) : null;
  }

  #group(g: number): void {
    let finite = false;
    for (const path of this.#paths[g]) {
      this.#take(g, this.#message, path, 0);
      if (this.counts[g] < 0) return;
    }
    const values = this.numbers[g];
    for (let i = 0; i < this.counts[g]; i++) if (!Number.isNaN(values[i])) finite = true;
    if (!finite && this.#paths[g].some((path) => path.some((step) => step.endsWith('[]'))))
      this.counts[g] = 0;
  }

  #take(g: number, value: unknown, path: PathSteps, depth: number): void {
    if (depth === path.length) {
      if (Array.isArray(value)) for (const item of value) this.#push(g, item);
      else this.#push(g, value);
      return;
    }
    const step = path[depth];
    const list = step.endsWith('[]');
    const inner = member(value, list ? step.slice(0, -2) : step);
    if (!list) this.#take(g, inner, path, depth + 1);
    if (!list || !Array.isArray(inner)) return;
    const { only } = this.#taps.numbers[g];
    for (const item of only === 'first' ? inner.slice(0, 1) : inner) {
      if (only === 'last') this.counts[g] = 0;
      this.#take(g, item, path, depth + 1);
    }
  }

  #push(g: number, value: unknown): void {
    const count = this.counts[g];
    if (count < 0 || count >= maxGroupNumbers) this.counts[g] = -1;
    else {
      if (count === this.numbers[g].length) this.numbers[g] = doubleCapacity(this.numbers[g]);
      this.numbers[g][count] =
        typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : Number.NaN;
      this.counts[g] = count + 1;
    }
  }

  #readNames(): void {
    const path = this.#taps.names;
    if (path === null) {
      this.namesChanged = this.#nameKey === null;
      this.#nameKey = '';
      return;
    }
    const list = path.indexOf('[].');
    const value = valueAt(this.#message, (list < 0 ? path : path.slice(0, list)).split('.'));
    const items = Array.isArray(value) ? value : [];
    const names = items.map((item) => String(list < 0 ? item : member(item, path.slice(list + 3))));
    const key = names.join('\0');
    this.namesChanged = key !== this.#nameKey;
    this.#nameKey = key;
    this.#names = names;
  }

  #readStamp(text: string): void {
    this.stamped = false;
    const path = this.#taps.stamp;
    if (path === null) return;
    const value = valueAt(this.#message, path.split('.'));
    if (typeof value === 'object' && value !== null) {
      const sec = member(value, 'sec') ?? member(value, 'secs') ?? member(value, 'seconds');
      const nsec =
        member(value, 'nsec') ?? member(value, 'nanosec') ?? member(value, 'nsecs') ?? member(value, 'nanos');
      this.#setStamp(Number(sec), Number(nsec ?? 0));
    } else if (typeof value === 'string') this.#textStamp(value);
    else if (typeof value === 'number') this.#numberStamp(value, text, path);
  }

  #setStamp(sec: number, nsec: number): void {
    this.stamped = Number.isFinite(sec) && Number.isFinite(nsec);
    this.stampSec = sec;
    this.stampNsec = nsec;
  }

  #textStamp(value: string): void {
    if (/^\d+$/.test(value)) this.#digits(asNanoseconds(value));
    else {
      const [, whole, fraction = ''] = /^(.*?:\d\d)(?:\.(\d+))?Z$/.exec(value) ?? [];
      this.#setStamp(Date.parse(`${whole}Z`) / 1000, Number(fraction.padEnd(9, '0').slice(0, 9)));
    }
  }

  /**
   * Reads a numeric timestamp. Nanoseconds since 1970 exceed a double's precision, so their digits are taken from the
   * text.
   */
  #numberStamp(value: number, text: string, path: string): void {
    const key = path.slice(path.lastIndexOf('.') + 1);
    if (value < 1e11 && !/ns$|nanoseconds$/i.test(key)) {
      this.#setStamp(Math.floor(value), (value - Math.floor(value)) * 1e9);
      return;
    }
    const digits = new RegExp(`"${key}"\\s*:\\s*(\\d+)`).exec(text)?.[1];
    if (digits === undefined) this.#setStamp(Number.NaN, 0);
    else this.#digits(/ns$|nanoseconds$/i.test(key) ? digits : asNanoseconds(digits));
  }

  /** Sets the timestamp from the digits of whole nanoseconds since an epoch. */
  #digits(digits: string): void {
    const padded = digits.padStart(10, '0');
    this.#setStamp(Number(padded.slice(0, -9)), Number(padded.slice(-9)));
  }
}

/**
 * Converts milliseconds, microseconds or nanoseconds since 1970 to nanoseconds, distinguished by their number of
 * digits.
 */
function asNanoseconds(digits: string): string {
  if (digits.length <= 14) return `${digits}000000`;
  return digits.length <= 17 ? `${digits}000` : digits;
}

function doubleCapacity(numbers: Float64Array): Float64Array {
  const larger = new Float64Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const step of path) inner = member(inner, step);
  return inner;
}
