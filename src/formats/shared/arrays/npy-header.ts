import { AssayError } from '#core';

/** Element type of a NumPy array. */
export interface NpyType {
  /** NumPy type code: f float, i/u integer, b bool, S bytes, U text, V void. */
  readonly kind: 'f' | 'i' | 'u' | 'b' | 'S' | 'U' | 'V';
  /** Size of one element in bytes. */
  readonly bytes: number;
  readonly little_endian: boolean;
}

/** Parsed header of an `.npy` file. */
export interface NpyHeader {
  readonly type: NpyType;
  readonly shape: readonly number[];
  /** True for Fortran order: the first index varies fastest. */
  readonly column_major: boolean;
  /** Total number of elements. */
  readonly count: number;
  /** Offset of the data in the file. */
  readonly offset: number;
}

const magic = '\x93NUMPY';
/** Longer headers declare a record type, which is unsupported. */
const maxHeaderBytes = 64 * 1024;
/** Bytes to read from the start of a file so that every supported header is complete. */
export const npyHeadBytes = 12 + maxHeaderBytes;
const maxDimensions = 8;

/** True if the bytes begin with the NumPy magic string. */
export function isNpy(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 6)).toString('latin1') === magic;
}

/**
 * Parses the header of a NumPy array file (format 1.0 to 3.0) from its first bytes; throws `unreadable_input` for
 * damaged headers, unsupported types and object arrays. These are pickles, which run code when loaded.
 */
export function parseNpyHeader(head: Uint8Array, path: string): NpyHeader {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (!isNpy(head)) throw damagedError(path, 'is not a NumPy .npy file');
  const wide = bytes.length > 6 && bytes[6] >= 2;
  const start = wide ? 12 : 10;
  if (bytes.length < start) throw damagedError(path, 'is truncated inside its header');
  const length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  if (length > maxHeaderBytes)
    throw damagedError(
      path,
      `declares a header of ${length} bytes, but at most ${maxHeaderBytes} are supported`,
    );
  if (bytes.length < start + length) throw damagedError(path, 'is truncated inside its header');
  const text = bytes.toString('latin1', start, start + length);
  const shape = parseShape(text, path);
  const count = shape.reduce((product, size) => product * size, 1);
  if (!Number.isSafeInteger(count))
    throw damagedError(path, `declares an unsupported shape (${shape.join(', ')})`);
  return {
    type: parseType(text, path),
    shape,
    column_major: /'fortran_order'\s*:\s*True/.test(text),
    count,
    offset: start + length,
  };
}

function parseType(text: string, path: string): NpyType {
  const described = /'descr'\s*:\s*'([^']*)'/.exec(text);
  if (described === null)
    throw damagedError(path, 'has a structured or missing dtype; only plain arrays are supported');
  return parseNpyType(described[1], path);
}

/**
 * Parses an element type as NumPy writes it, such as `<f8`; throws `unreadable_input` for unsupported types and
 * objects.
 */
export function parseNpyType(descr: string, path: string): NpyType {
  const [, order = '', letter = '', size = ''] = /^([<>=|]?)([a-zA-Z])(\d*)$/.exec(descr) ?? [];
  if (letter === 'O') throw pickleError(path);
  const bytes = Number(size) * (letter === 'U' ? 4 : 1);
  if (!isKind(letter) || !isSupportedSize(letter, bytes))
    throw damagedError(path, `has elements of unsupported type ${descr.slice(0, 40)}`);
  return { kind: letter, bytes, little_endian: order !== '>' };
}

const isKind = (letter: string): letter is NpyType['kind'] => letter !== '' && 'fiubSUV'.includes(letter);

function isSupportedSize(kind: NpyType['kind'], bytes: number): boolean {
  if (kind === 'f') return bytes === 2 || bytes === 4 || bytes === 8;
  if (kind === 'i' || kind === 'u') return [1, 2, 4, 8].includes(bytes);
  return kind === 'b' ? bytes === 1 : bytes > 0 && bytes <= maxHeaderBytes;
}

function parseShape(text: string, path: string): number[] {
  const written = /'shape'\s*:\s*\(([\d,\sL]*)\)/.exec(text)?.[1];
  if (written === undefined) throw damagedError(path, 'declares no shape');
  const shape = written
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => Number.parseInt(part, 10));
  if (shape.length > maxDimensions || shape.some((size) => !Number.isSafeInteger(size)))
    throw damagedError(path, `declares an unsupported shape (${written.trim()})`);
  return shape;
}

function damagedError(path: string, what: string): AssayError {
  return new AssayError('unreadable_input', `${path} ${what}`, {
    path,
    advice: 'save it again with numpy.save as a plain array of numbers',
  });
}

function pickleError(path: string): AssayError {
  return new AssayError(
    'unreadable_input',
    `${path} contains Python objects (a pickle); they are not loaded because that could run arbitrary code`,
    { path, advice: 'save the numbers as a plain array: numpy.save(..., allow_pickle=False)' },
  );
}
