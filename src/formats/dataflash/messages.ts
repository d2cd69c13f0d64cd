import type { UnitOfMeasure } from '#core/episode';
import {
  decodeNumberAt,
  type NumberField,
  type NumberKind,
  numberBytes,
} from '../shared/flight/decode-numbers.ts';

/** Access to one message by column name. */
export interface Message {
  readonly type: MessageType;
  /** Returns the number in a column; NaN if the type has no such number. */
  number(name: string): number;
  /** Returns the trimmed text in a column; '' if the type has no such text. */
  text(name: string): string;
}

const utf8 = new TextDecoder('utf-8');

/** Message of a binary log. One object is reused for every message and moved with `at`. */
export class BinaryMessage implements Message {
  type: MessageType;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;

  constructor(type: MessageType) {
    this.type = type;
  }

  /** Points this object at another message; `start` is the offset of its body in `view`. Returns `this`. */
  at(type: MessageType, view: DataView, start: number): this {
    this.type = type;
    this.#view = view;
    this.#start = start;
    return this;
  }

  number(name: string): number {
    const field = this.type.numbers.find((candidate) => candidate.name === name);
    return field === undefined ? Number.NaN : decodeNumberAt(this.#view, this.#start, field);
  }

  text(name: string): string {
    const field = this.type.texts.find((candidate) => candidate.name === name);
    if (field === undefined) return '';
    const from = this.#view.byteOffset + this.#start + field.offset;
    const bytes = new Uint8Array(this.#view.buffer, from, field.bytes);
    const zero = bytes.indexOf(0);
    return utf8.decode(zero < 0 ? bytes : bytes.subarray(0, zero)).trim();
  }
}

/** Message of a text log. */
export class TextMessage implements Message {
  readonly type: MessageType;
  readonly #cells: readonly string[];

  constructor(type: MessageType, cells: readonly string[]) {
    this.type = type;
    this.#cells = cells;
  }

  number(name: string): number {
    const cell = this.#cells[this.type.columns.indexOf(name)];
    return cell === undefined || cell === '' ? Number.NaN : Number(cell);
  }

  text(name: string): string {
    return this.#cells[this.type.columns.indexOf(name)] ?? '';
  }
}

const prefixes: Readonly<Record<string, string>> = {
  '1': '',
  '0.1': 'd',
  '0.01': 'c',
  '0.001': 'm',
  '0.000001': 'µ',
  '1e-9': 'n',
};
/** Format letters that already scale to the unit, so that the column's multiplier must not be applied. */
const prescaledLetters = /[cCeEL]/;

/** Units of columns, declared by the UNIT, MULT and FMTU messages of a log. */
export class DeclaredUnits {
  readonly #units = new Map<string, string>();
  readonly #multipliers = new Map<string, number>();
  readonly #columns = new Map<number, { units: string; multipliers: string }>();

  /** Records a UNIT message: the unit label of a letter. */
  addUnit(id: string, label: string): void {
    this.#units.set(id, label);
  }

  /** Records a MULT message: the factor of a letter. */
  addMultiplier(id: string, multiplier: number): void {
    this.#multipliers.set(id, multiplier);
  }

  /** Records a FMTU message: one unit letter and one factor letter for each column of a type. */
  addColumns(type: number, units: string, multipliers: string): void {
    this.#columns.set(type, { units, multipliers });
  }

  /** Returns the index of the column that holds the sensor instance; -1 if the log declares none. */
  instanceColumn({ id }: MessageType): number {
    return this.#columns.get(id)?.units.indexOf('#') ?? -1;
  }

  /**
   * Returns the common unit of the columns, `mixed` with each unit listed in the reason if they differ, or `unknown` if
   * none is declared.
   */
  sharedUnit(type: MessageType, names: readonly string[]): UnitOfMeasure {
    const units = names.map((name) =>
      this.#columnUnit(type, type.columns.indexOf(name.replace(/\[\d+\]$/, ''))),
    );
    const declared = units.filter((unit) => unit !== null);
    if (declared.length === 0) return undeclaredUnit;
    const [first] = units;
    if (first !== null && units.every((unit) => unit === first))
      return { unit: first, evidence: 'declared', reason: `FMTU and UNIT messages of the log, ${type.name}` };
    const labels = names.slice(0, maxListedColumns).map((name, i) => `${name} ${units[i] ?? 'unknown'}`);
    return {
      unit: 'mixed',
      evidence: 'declared',
      reason: `FMTU and UNIT messages of the log: ${labels.join(', ')}`,
    };
  }

  #columnUnit(type: MessageType, column: number): string | null {
    const columns = this.#columns.get(type.id);
    if (columns === undefined || column < 0) return null;
    const label = this.#units.get(columns.units[column] ?? '') ?? '';
    if (label === '' || label === 'UNKNOWN' || label === 'instance') return null;
    const multiplier = this.#multipliers.get(columns.multipliers[column] ?? '') ?? 1;
    if (prescaledLetters.test(type.letters[column]) || multiplier === 0 || multiplier === 1) return label;
    const prefix = prefixes[String(Number(multiplier.toPrecision(6)))];
    return prefix === undefined ? `${Number(multiplier.toPrecision(6))} ${label}` : `${prefix}${label}`;
  }
}

const maxListedColumns = 24;
const undeclaredUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the log declares no unit for these columns',
};

/** A text column of a message: its offset in the body and its length in bytes. */
interface TextField {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** A message type declared by a FMT message: name (`IMU`), columns and their layout in the message body. */
export interface MessageType {
  readonly id: number;
  readonly name: string;
  /** Length of a message in bytes, including the 3-byte head. */
  readonly length: number;
  /** Format letters, one per column. */
  readonly letters: string;
  readonly columns: readonly string[];
  readonly numbers: readonly NumberField[];
  readonly texts: readonly TextField[];
}

/** Length of a binary message's head: two magic bytes and the type number. */
export const headBytes = 3;
const formatTypeId = 128;
/** Highest type number: one byte in binary logs; text logs use the same range. */
const maxTypeId = 255;

interface Letter {
  readonly kind: NumberKind;
  readonly divisor: number;
  readonly count: number;
}

const numberLetter = (kind: NumberKind, divisor = 1, count = 1): Letter => ({ kind, divisor, count });

/** ArduPilot's format letters for numbers; letters for texts are in `textBytes`. */
const numberLetters: Readonly<Record<string, Letter>> = {
  a: numberLetter('int16', 1, 32),
  b: numberLetter('int8'),
  B: numberLetter('uint8'),
  h: numberLetter('int16'),
  H: numberLetter('uint16'),
  i: numberLetter('int32'),
  I: numberLetter('uint32'),
  q: numberLetter('int64'),
  Q: numberLetter('uint64'),
  g: numberLetter('float16'),
  f: numberLetter('float32'),
  d: numberLetter('float64'),
  c: numberLetter('int16', 100),
  C: numberLetter('uint16', 100),
  e: numberLetter('int32', 100),
  E: numberLetter('uint32', 100),
  L: numberLetter('int32', 1e7),
  M: numberLetter('uint8'),
};
const textBytes: Readonly<Record<string, number>> = { n: 4, N: 16, Z: 64 };

/** The type of FMT messages, which is fixed. */
export const formatType: MessageType = {
  id: formatTypeId,
  name: 'FMT',
  length: 89,
  letters: 'BBnNZ',
  columns: ['Type', 'Length', 'Name', 'Format', 'Columns'],
  ...layOutColumns('BBnNZ', ['Type', 'Length', 'Name', 'Format', 'Columns']),
};

/**
 * Builds a message type from the contents of a FMT message; returns the reason as a string if the declaration is
 * invalid or its length does not match its letters.
 */
export function buildMessageType(
  id: number,
  length: number,
  name: string,
  format: string,
  columns: string,
): MessageType | string {
  const names = columns === '' ? [] : columns.split(',').map((column) => column.trim());
  if (!(Number.isInteger(id) && id >= 0 && id <= maxTypeId)) return `invalid type number ${id}`;
  if (!/^\w{1,4}$/.test(name)) return `invalid name ${JSON.stringify(name)}`;
  if (names.length !== format.length)
    return `it declares ${names.length} columns but ${format.length} format letters`;
  const unknown = [...format].find(
    (letter) => numberLetters[letter] === undefined && textBytes[letter] === undefined,
  );
  if (unknown !== undefined) return `unknown format letter ${unknown}`;
  const { bytes, ...layout } = layOutColumns(format, names);
  if (headBytes + bytes !== length)
    return `it declares ${length} bytes, but its format letters add up to ${headBytes + bytes}`;
  return { id, name, length, letters: format, columns: names, ...layout };
}

function layOutColumns(
  format: string,
  names: readonly string[],
): Pick<MessageType, 'numbers' | 'texts'> & { bytes: number } {
  const numbers: NumberField[] = [];
  const texts: TextField[] = [];
  let at = 0;
  for (const [i, letter] of [...format].entries()) {
    const name = names[i];
    if (numberLetters[letter] === undefined) {
      texts.push({ name, offset: at, bytes: textBytes[letter] });
      at += textBytes[letter];
      continue;
    }
    const { kind, divisor, count } = numberLetters[letter];
    for (let n = 0; n < count; n++) {
      numbers.push({ name: count === 1 ? name : `${name}[${n}]`, kind, offset: at, divisor });
      at += numberBytes[kind];
    }
  }
  return { numbers, texts, bytes: at };
}

/**
 * Converts a type to the row layout used for text logs, in which each number is a float64 in its unit; array columns
 * (letter `a`) are left out, since text logs write them as one cell.
 */
export function toTextType(type: MessageType): MessageType {
  const isText = (i: number) => textBytes[type.letters[i]] !== undefined;
  const names = type.columns.filter((_, i) => !isText(i) && type.letters[i] !== 'a');
  return {
    ...type,
    numbers: names.map((name, i) => ({ name, kind: 'float64', offset: 8 * i, divisor: 1 })),
  };
}
