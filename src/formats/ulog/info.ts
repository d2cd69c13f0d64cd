import { numberAt } from '../shared/flight/decode-numbers.ts';
import { type NumberField, type NumberKind, numberBytes } from '../shared/flight/number-row.ts';

/** Key and value of an info or parameter message. */
export interface KeyValue {
  readonly key: string;
  readonly value: string | number;
}

const utf8 = new TextDecoder('utf-8');

/** Reads `length, "type key", value` at `from`; null where it is none. Arrays of numbers are not kept. */
export function parseKeyValue(bytes: Uint8Array, view: DataView, from: number, to: number): KeyValue | null {
  const valueAt = from + 1 + (from < to ? bytes[from] : 0);
  if (valueAt > to || valueAt === from + 1) return null;
  const field = parseField(utf8.decode(bytes.subarray(from + 1, valueAt)));
  if (field === null) return null;
  if (field.type === 'char') return { key: field.name, value: textOf(bytes.subarray(valueAt, to)) };
  const kind = kindOf(field.type);
  if (kind === null || valueAt + numberBytes[kind] > to || field.count >= 0) return null;
  return {
    key: field.name,
    value: numberAt(view, valueAt, { name: field.name, kind, offset: 0, divisor: 1 }),
  };
}

/** Text up to its first zero byte, without colour codes and other controls. */
export function textOf(bytes: Uint8Array): string {
  const zero = bytes.indexOf(0);
  const text = utf8.decode(zero < 0 ? bytes : bytes.subarray(0, zero));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes of the console are what is taken out
  return text.replace(/\x1b\[[0-9;]*m/g, '').trim();
}

/** A field as a format message declares it: `uint8_t[4] id`, `esc_report_s[8] esc`. */
interface DeclaredField {
  readonly type: string;
  readonly count: number;
  readonly name: string;
}

/** A message type as declared, nested ones by name. */
export interface Format {
  readonly name: string;
  readonly fields: readonly DeclaredField[];
}

/** Where the numbers of a message lie. */
export interface Layout {
  readonly numbers: readonly NumberField[];
  /** Bytes of the whole body, padding included. */
  readonly bytes: number;
  /** Texts (`char[n]`) that are passed over. */
  readonly texts: readonly string[];
}

const kinds: Readonly<Record<string, NumberKind>> = {
  int8_t: 'int8',
  uint8_t: 'uint8',
  // The byte as logged: one that nobody set may hold anything.
  bool: 'int8',
  int16_t: 'int16',
  uint16_t: 'uint16',
  int32_t: 'int32',
  uint32_t: 'uint32',
  int64_t: 'int64',
  uint64_t: 'uint64',
  float: 'float32',
  double: 'float64',
};

/** null: `char`, or a type that a format declares. */
function kindOf(type: string): NumberKind | null {
  return Object.hasOwn(kinds, type) ? kinds[type] : null;
}

const maxDepth = 8;
/** A message's size is a 16-bit number. */
const maxBodyBytes = 65_535;
const maxNumbers = 8192;
const maxSteps = 65_536;

/** Reads `name:type field;type[n] field;`; null where it is no such text. */
export function parseFormat(text: string): Format | null {
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  const fields: DeclaredField[] = [];
  for (const part of text.slice(colon + 1).split(';')) {
    if (part.trim() === '') continue;
    const field = parseField(part.trim());
    if (field === null) return null;
    fields.push(field);
  }
  return { name: text.slice(0, colon), fields };
}

/** `type name` or `type[n] name`, as formats and the keys of info messages have it. */
function parseField(text: string): DeclaredField | null {
  const found = /^([A-Za-z0-9_/-]+)(?:\[(\d{1,5})\])? ([A-Za-z0-9_.[\]/-]+)$/.exec(text);
  if (found === null) return null;
  return { type: found[1], count: found[2] === undefined ? -1 : Number(found[2]), name: found[3] };
}

/** Lays a message out; a text says why it cannot be: a type nobody declared, nesting without end, too many numbers. */
export function layOut(name: string, formats: ReadonlyMap<string, Format>): Layout | string {
  const walk: Walk = { formats, numbers: [], texts: [], at: 0, steps: 0 };
  const problem = addType(walk, name, '', 0);
  if (problem !== null) return problem;
  return { numbers: walk.numbers, bytes: walk.at, texts: walk.texts };
}

interface Walk {
  readonly formats: ReadonlyMap<string, Format>;
  readonly numbers: NumberField[];
  readonly texts: string[];
  at: number;
  /** Fields looked at, empty ones included: declared counts multiply. */
  steps: number;
}

function addType(walk: Walk, type: string, prefix: string, depth: number): string | null {
  const format = walk.formats.get(type);
  if (format === undefined) return `its type ${type} is declared nowhere`;
  if (depth > maxDepth) return `its types nest deeper than ${maxDepth}`;
  for (const { type: inner, count, name } of format.fields) {
    const problem = addField(walk, inner, count, `${prefix}${name}`, depth);
    if (problem !== null) return problem;
  }
  return null;
}

function addField(walk: Walk, type: string, count: number, name: string, depth: number): string | null {
  const kind = kindOf(type);
  const times = count < 0 ? 1 : count;
  if (isPadding(name) || type === 'char') {
    if (type === 'char') walk.texts.push(name);
    walk.at += times * (kind === null ? 1 : numberBytes[kind]);
  } else
    for (let i = 0; i < times; i++) {
      if (++walk.steps > maxSteps) return `its types hold more than ${maxSteps} fields`;
      const full = count < 0 ? name : `${name}[${i}]`;
      if (kind === null) {
        const problem = addType(walk, type, `${full}.`, depth + 1);
        if (problem !== null) return problem;
      } else {
        walk.numbers.push({ name: full, kind, offset: walk.at, divisor: 1 });
        walk.at += numberBytes[kind];
      }
      if (walk.numbers.length > maxNumbers) return `it holds more than ${maxNumbers} numbers`;
      if (walk.at > maxBodyBytes) break;
    }
  return walk.at > maxBodyBytes ? `it is longer than the ${maxBodyBytes} bytes a message can have` : null;
}

/** Fields that only fill a struct up to its alignment. */
function isPadding(name: string): boolean {
  return name.slice(name.lastIndexOf('.') + 1).startsWith('_padding');
}
