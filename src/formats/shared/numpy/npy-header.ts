import { AssayError } from '#core';

/** How one element of an array is stored. */
export interface NpyType {
  /** f: float, i and u: integers, b: bool, S: bytes, U: text, V: bytes without meaning. */
  readonly kind: 'f' | 'i' | 'u' | 'b' | 'S' | 'U' | 'V';
  /** Of one element. */
  readonly bytes: number;
  readonly little_endian: boolean;
}

export interface NpyHeader {
  readonly type: NpyType;
  readonly shape: readonly number[];
  /** First index runs fastest. */
  readonly column_major: boolean;
  /** Elements in all. */
  readonly count: number;
  /** Where the elements begin in the file. */
  readonly offset: number;
}

const magic = '\x93NUMPY';
/** A header beyond this declares a record type, which is not read. */
const mostHeader = 64 * 1024;
/** Bytes from the start of a file that hold every header that is read. */
export const npyHeadBytes = 12 + mostHeader;
const mostDimensions = 8;

export function isNpy(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 6)).toString('latin1') === magic;
}

/**
 * Parses the header of a NumPy array file (format 1.0 to 3.0) out of its first bytes. Arrays of Python objects are
 * refused: they are pickles, and loading one runs its code. Throws `unreadable_input`.
 */
export function parseNpyHeader(head: Uint8Array, path: string): NpyHeader {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (!isNpy(head)) throw damaged(path, 'does not begin as a NumPy array does');
  const wide = bytes.length > 6 && bytes[6] >= 2;
  const start = wide ? 12 : 10;
  if (bytes.length < start) throw damaged(path, 'ends within its header');
  const length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  if (length > mostHeader)
    throw damaged(path, `declares a header of ${length} bytes, at most ${mostHeader} are read`);
  if (bytes.length < start + length) throw damaged(path, 'ends within its header');
  const text = bytes.toString('latin1', start, start + length);
  const shape = shapeOf(text, path);
  const count = shape.reduce((product, size) => product * size, 1);
  if (!Number.isSafeInteger(count)) throw damaged(path, `declares the shape (${shape.join(', ')})`);
  return {
    type: typeOf(text, path),
    shape,
    column_major: /'fortran_order'\s*:\s*True/.test(text),
    count,
    offset: start + length,
  };
}

function typeOf(text: string, path: string): NpyType {
  const described = /'descr'\s*:\s*'([<>=|]?)([a-zA-Z])(\d*)'/.exec(text);
  if (described === null) throw damaged(path, 'has a record type or none; only plain arrays are read');
  const [, order, letter, size] = described;
  if (letter === 'O') throw pickled(path);
  if (!isKind(letter)) throw damaged(path, `has elements of type ${letter}${size}, which are not read`);
  const bytes = Number(size) * (letter === 'U' ? 4 : 1);
  if (!fits(letter, bytes)) throw damaged(path, `has elements of type ${letter}${size}, which are not read`);
  return { kind: letter, bytes, little_endian: order !== '>' };
}

const isKind = (letter: string): letter is NpyType['kind'] => 'fiubSUV'.includes(letter);

function fits(kind: NpyType['kind'], bytes: number): boolean {
  if (kind === 'f') return bytes === 2 || bytes === 4 || bytes === 8;
  if (kind === 'i' || kind === 'u') return [1, 2, 4, 8].includes(bytes);
  return kind === 'b' ? bytes === 1 : bytes > 0 && bytes <= mostHeader;
}

function shapeOf(text: string, path: string): number[] {
  const written = /'shape'\s*:\s*\(([\d,\sL]*)\)/.exec(text)?.[1];
  if (written === undefined) throw damaged(path, 'declares no shape');
  const shape = written
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => Number.parseInt(part, 10));
  if (shape.length > mostDimensions || shape.some((size) => !Number.isSafeInteger(size)))
    throw damaged(path, `declares the shape (${written.trim()})`);
  return shape;
}

function damaged(path: string, what: string): AssayError {
  return new AssayError('unreadable_input', `${path} ${what}`, {
    path,
    advice: 'write it again with numpy.save as a plain array of numbers',
  });
}

function pickled(path: string): AssayError {
  return new AssayError(
    'unreadable_input',
    `${path} holds Python objects (a pickle); loading them would run their code, so they are not read`,
    { path, advice: 'save the numbers as a plain array: numpy.save(..., allow_pickle=False)' },
  );
}
