import {
  decodeNumberAt,
  type NumberField,
  type NumberKind,
  numberBytes,
} from '../shared/flight/decode-numbers.ts';

/** Key and value of an info or parameter message. */
export interface KeyValue {
  readonly key: string;
  readonly value: string | number;
}

const utf8 = new TextDecoder('utf-8');

/** Parses `length, "type key", value` at `from`; `null` if invalid or if the value is an array of numbers. */
export function parseKeyValue(bytes: Uint8Array, view: DataView, from: number, to: number): KeyValue | null {
  const valueAt = from + 1 + (from < to ? bytes[from] : 0);
  if (valueAt > to || valueAt === from + 1) return null;
  const field = parseField(utf8.decode(bytes.subarray(from + 1, valueAt)));
  if (field === null) return null;
  if (field.type === 'char') return { key: field.name, value: decodeText(bytes.subarray(valueAt, to)) };
  const kind = numberKind(field.type);
  if (kind === null || valueAt + numberBytes[kind] > to || field.count >= 0) return null;
  return {
    key: field.name,
    value: decodeNumberAt(view, valueAt, { name: field.name, kind, offset: 0, divisor: 1 }),
  };
}

/** Decodes text up to its first zero byte, trimmed and without colour codes. */
export function decodeText(bytes: Uint8Array): string {
  const zero = bytes.indexOf(0);
  const text = utf8.decode(zero < 0 ? bytes : bytes.subarray(0, zero));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes of the console are what is taken out
  return text.replace(/\x1b\[[0-9;]*m/g, '').trim();
}

/** A field declared by a format message: `uint8_t[4] id`, `esc_report_s[8] esc`. `count` is -1 for a single value. */
interface DeclaredField {
  readonly type: string;
  readonly count: number;
  readonly name: string;
}

/** A declared message type; nested types are referenced by name. */
export interface Format {
  readonly name: string;
  readonly fields: readonly DeclaredField[];
}

/** Memory layout of a message. */
export interface Layout {
  readonly numbers: readonly NumberField[];
  /** Bytes of the whole body, including padding. */
  readonly bytes: number;
  /** Names of text fields (`char[n]`), which are skipped. */
  readonly texts: readonly string[];
}

const kinds: Readonly<Record<string, NumberKind>> = {
  int8_t: 'int8',
  uint8_t: 'uint8',
  // The byte as logged: an uninitialised bool may have any value.
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

/** Returns the number type; `null` for `char` and for nested types. */
function numberKind(type: string): NumberKind | null {
  return Object.hasOwn(kinds, type) ? kinds[type] : null;
}

const maxDepth = 8;
/** Maximum body size: message sizes are 16-bit numbers. */
const maxBodyBytes = 65_535;
const maxNumbers = 8192;
const maxSteps = 65_536;

/** Parses `name:type field;type[n] field;`; `null` if the text has another form. */
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

/** Parses `type name` or `type[n] name`, as in formats and keys of info messages; `null` if invalid. */
function parseField(text: string): DeclaredField | null {
  const found = /^([A-Za-z0-9_/-]+)(?:\[(\d{1,5})\])? ([A-Za-z0-9_.[\]/-]+)$/.exec(text);
  if (found === null) return null;
  return { type: found[1], count: found[2] === undefined ? -1 : Number(found[2]), name: found[3] };
}

/**
 * Returns the layout of a message type, or the reason as a string if a type is not declared, nests too deeply, or has
 * too many fields.
 */
export function computeLayout(name: string, formats: ReadonlyMap<string, Format>): Layout | string {
  const state: LayoutState = { formats, numbers: [], texts: [], at: 0, steps: 0 };
  const problem = addType(state, name, '', 0);
  if (problem !== null) return problem;
  return { numbers: state.numbers, bytes: state.at, texts: state.texts };
}

interface LayoutState {
  readonly formats: ReadonlyMap<string, Format>;
  readonly numbers: NumberField[];
  readonly texts: string[];
  at: number;
  /** Number of visited fields, including empty ones: declared counts multiply. */
  steps: number;
}

function addType(state: LayoutState, type: string, prefix: string, depth: number): string | null {
  const format = state.formats.get(type);
  if (format === undefined) return `its type ${type} is not declared`;
  if (depth > maxDepth) return `its types are nested more than ${maxDepth} levels deep`;
  for (const { type: inner, count, name } of format.fields) {
    const problem = addField(state, inner, count, `${prefix}${name}`, depth);
    if (problem !== null) return problem;
  }
  return null;
}

function addField(
  state: LayoutState,
  type: string,
  count: number,
  name: string,
  depth: number,
): string | null {
  const kind = numberKind(type);
  const repeat = count < 0 ? 1 : count;
  if (isPadding(name) || type === 'char') {
    if (type === 'char') state.texts.push(name);
    state.at += repeat * (kind === null ? 1 : numberBytes[kind]);
  } else
    for (let i = 0; i < repeat; i++) {
      if (++state.steps > maxSteps) return `its types have more than ${maxSteps} fields`;
      const full = count < 0 ? name : `${name}[${i}]`;
      if (kind === null) {
        const problem = addType(state, type, `${full}.`, depth + 1);
        if (problem !== null) return problem;
      } else {
        state.numbers.push({ name: full, kind, offset: state.at, divisor: 1 });
        state.at += numberBytes[kind];
      }
      if (state.numbers.length > maxNumbers) return `it has more than ${maxNumbers} numbers`;
      if (state.at > maxBodyBytes) break;
    }
  return state.at > maxBodyBytes ? `it is longer than ${maxBodyBytes} bytes, the maximum of a message` : null;
}

/** Returns true for fields that only align a struct. */
function isPadding(name: string): boolean {
  return name.slice(name.lastIndexOf('.') + 1).startsWith('_padding');
}
