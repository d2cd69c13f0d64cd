import { type NumberField, type NumberKind, numberBytes } from '../shared/flight/number-row.ts';

/** A text of a message. */
interface TextField {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** What a FMT message declares: `IMU`, its columns and how they lie in a message. */
export interface MessageType {
  readonly id: number;
  readonly name: string;
  /** Bytes of a message, its head of three included. */
  readonly length: number;
  /** Format letters, one a column. */
  readonly letters: string;
  readonly columns: readonly string[];
  readonly numbers: readonly NumberField[];
  readonly texts: readonly TextField[];
}

export const headBytes = 3;
const formatId = 128;
/** A binary message says its type in one byte; text logs number theirs alike. */
const largestId = 255;

interface Letter {
  readonly kind: NumberKind;
  readonly divisor: number;
  readonly count: number;
}

const number = (kind: NumberKind, divisor = 1, count = 1): Letter => ({ kind, divisor, count });

/** ArduPilot's format letters; those of texts are apart. */
const letters: Readonly<Record<string, Letter>> = {
  a: number('int16', 1, 32),
  b: number('int8'),
  B: number('uint8'),
  h: number('int16'),
  H: number('uint16'),
  i: number('int32'),
  I: number('uint32'),
  q: number('int64'),
  Q: number('uint64'),
  g: number('float16'),
  f: number('float32'),
  d: number('float64'),
  c: number('int16', 100),
  C: number('uint16', 100),
  e: number('int32', 100),
  E: number('uint32', 100),
  L: number('int32', 1e7),
  M: number('uint8'),
};
const textBytes: Readonly<Record<string, number>> = { n: 4, N: 16, Z: 64 };

/** FMT describes itself, whether or not the log says so. */
export const formatType: MessageType = {
  id: formatId,
  name: 'FMT',
  length: 89,
  letters: 'BBnNZ',
  columns: ['Type', 'Length', 'Name', 'Format', 'Columns'],
  ...laid('BBnNZ', ['Type', 'Length', 'Name', 'Format', 'Columns']),
};

/** How the columns of a type lie, by its letters; a text says why that is not to be known. */
export function declareType(
  id: number,
  length: number,
  name: string,
  format: string,
  columns: string,
): MessageType | string {
  const names = columns === '' ? [] : columns.split(',').map((column) => column.trim());
  if (!(Number.isInteger(id) && id >= 0 && id <= largestId)) return `its number ${id} is none`;
  if (!/^\w{1,4}$/.test(name)) return `its name ${JSON.stringify(name)} is none`;
  if (names.length !== format.length)
    return `it names ${names.length} columns and has ${format.length} letters`;
  const unknown = [...format].find(
    (letter) => letters[letter] === undefined && textBytes[letter] === undefined,
  );
  if (unknown !== undefined) return `its format letter ${unknown} is unknown`;
  const { bytes, ...layout } = laid(format, names);
  if (headBytes + bytes !== length)
    return `it says ${length} bytes and its letters make ${headBytes + bytes}`;
  return { id, name, length, letters: format, columns: names, ...layout };
}

function laid(
  format: string,
  names: readonly string[],
): Pick<MessageType, 'numbers' | 'texts'> & { bytes: number } {
  const numbers: NumberField[] = [];
  const texts: TextField[] = [];
  let at = 0;
  for (const [i, letter] of [...format].entries()) {
    const name = names[i];
    if (letters[letter] === undefined) {
      texts.push({ name, offset: at, bytes: textBytes[letter] });
      at += textBytes[letter];
      continue;
    }
    const { kind, divisor, count } = letters[letter];
    for (let n = 0; n < count; n++) {
      numbers.push({ name: count === 1 ? name : `${name}[${n}]`, kind, offset: at, divisor });
      at += numberBytes[kind];
    }
  }
  return { numbers, texts, bytes: at };
}

/**
 * The same type as a text log has it: every number a float64 in a row of its own, already in its unit. Arrays are
 * written there as one cell and are left out.
 */
export function textType(type: MessageType): MessageType {
  const isText = (i: number) => textBytes[type.letters[i]] !== undefined;
  const names = type.columns.filter((_, i) => !isText(i) && type.letters[i] !== 'a');
  return {
    ...type,
    numbers: names.map((name, i) => ({ name, kind: 'float64', offset: 8 * i, divisor: 1 })),
  };
}
