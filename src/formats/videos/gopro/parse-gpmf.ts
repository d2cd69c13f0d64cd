/**
 * One entry of GPMF data: a four-character key, the type of its numbers (`s`, `f`, …; `''` for nested entries), the
 * bytes of one sample and their number. Described by github.com/gopro/gpmf-parser; all numbers are big-endian.
 */
export interface GpmfEntry {
  readonly key: string;
  readonly type: string;
  readonly sampleBytes: number;
  readonly count: number;
  readonly data: Buffer;
}

/** Thrown if GPMF data is damaged or has a form that is not read. */
export class GpmfError extends Error {}

const headBytes = 8;

/**
 * Lists the entries of a payload or of a nested entry, without descending; throws `GpmfError` if one reaches beyond the
 * end. Padding of zeros is skipped.
 */
export function listEntries(bytes: Buffer): GpmfEntry[] {
  const entries: GpmfEntry[] = [];
  for (let at = 0; at + headBytes <= bytes.length; ) {
    if (bytes.readUInt32BE(at) === 0) {
      at += 4;
      continue;
    }
    const key = bytes.toString('latin1', at, at + 4);
    const sampleBytes = bytes[at + 5];
    const count = bytes.readUInt16BE(at + 6);
    const from = at + headBytes;
    const length = sampleBytes * count;
    if (from + length > bytes.length)
      throw new GpmfError(
        `${JSON.stringify(key)} has ${length} bytes, but only ${bytes.length - from} are left`,
      );
    const type = bytes[at + 4] === 0 ? '' : String.fromCharCode(bytes[at + 4]);
    entries.push({ key, type, sampleBytes, count, data: bytes.subarray(from, from + length) });
    at = from + Math.ceil(length / 4) * 4;
  }
  return entries;
}

/**
 * Returns the text of an entry up to its first zero byte, trimmed; GPMF writes `²`, `µ` and `°` as single bytes
 * (Latin-1).
 */
export function readText({ data }: GpmfEntry): string {
  const end = data.indexOf(0);
  return data.toString('latin1', 0, end < 0 ? data.length : end).trim();
}

/** Returns the texts of an entry with several texts of equal length, such as the units of the columns. */
export function readTexts(entry: GpmfEntry): string[] {
  if (entry.sampleBytes <= 1 || entry.count <= 1) return [readText(entry)];
  return Array.from({ length: entry.count }, (_, i) =>
    readText({
      ...entry,
      data: entry.data.subarray(i * entry.sampleBytes, (i + 1) * entry.sampleBytes),
    }),
  );
}

interface NumberType {
  readonly bytes: number;
  readonly read: (bytes: Buffer, at: number) => number;
}

/** Number types of GPMF; 64-bit integers beyond 2^53 lose precision. */
const numberTypes: Readonly<Record<string, NumberType>> = {
  b: { bytes: 1, read: (bytes, at) => bytes.readInt8(at) },
  B: { bytes: 1, read: (bytes, at) => bytes.readUInt8(at) },
  s: { bytes: 2, read: (bytes, at) => bytes.readInt16BE(at) },
  S: { bytes: 2, read: (bytes, at) => bytes.readUInt16BE(at) },
  l: { bytes: 4, read: (bytes, at) => bytes.readInt32BE(at) },
  L: { bytes: 4, read: (bytes, at) => bytes.readUInt32BE(at) },
  f: { bytes: 4, read: (bytes, at) => bytes.readFloatBE(at) },
  d: { bytes: 8, read: (bytes, at) => bytes.readDoubleBE(at) },
  j: { bytes: 8, read: (bytes, at) => Number(bytes.readBigInt64BE(at)) },
  J: { bytes: 8, read: (bytes, at) => Number(bytes.readBigUInt64BE(at)) },
  q: { bytes: 4, read: (bytes, at) => bytes.readInt32BE(at) / 65_536 },
  Q: { bytes: 8, read: (bytes, at) => Number(bytes.readBigInt64BE(at)) / 4_294_967_296 },
};

/** Numbers of an entry, row-major: one row per sample. */
export interface GpmfNumbers {
  readonly rows: number;
  readonly dims: number;
  readonly values: Float64Array;
}

/**
 * Reads the numbers of an entry; `null` if its type is no number or the types do not fit the bytes of a sample.
 * @param structure types of the columns for the type `?` (complex), such as `lllllllSS`; arrays (`f[8]`) are not read
 */
export function readNumbers(
  { type, sampleBytes, count, data }: GpmfEntry,
  structure = '',
): GpmfNumbers | null {
  const bytes = numberTypes[type]?.bytes;
  const letters =
    type === '?' ? [...structure] : bytes === undefined ? [] : repeat(type, sampleBytes / bytes);
  const columns = letters.map((letter) => numberTypes[letter]);
  if (columns.length === 0 || columns.includes(undefined as never)) return null;
  if (columns.reduce((sum, column) => sum + column.bytes, 0) !== sampleBytes) return null;
  const values = new Float64Array(count * columns.length);
  let at = 0;
  for (let i = 0; i < values.length; i++) {
    const column = columns[i % columns.length];
    values[i] = column.read(data, at);
    at += column.bytes;
  }
  return { rows: count, dims: columns.length, values };
}

const repeat = (letter: string, times: number): string[] =>
  Number.isInteger(times) ? Array<string>(times).fill(letter) : [];

/** Returns the first number of an entry; `null` if it has none. */
export function readNumber(entry: GpmfEntry): number | null {
  const numbers = readNumbers(entry);
  return numbers === null || numbers.rows === 0 ? null : numbers.values[0];
}
