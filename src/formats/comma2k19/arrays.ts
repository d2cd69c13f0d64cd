import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { type NpyHeader, type NpyType, npyHeadBytes, parseNpyHeader } from '../shared/arrays/npy-header.ts';
import { decodeHalfFloat } from '../shared/numbers.ts';
import type { Segment } from './segment-files.ts';

/** Reads the arrays of one segment. An array that cannot be read becomes a finding and counts as absent. */
export class SegmentArrays {
  readonly findings: Finding[] = [];
  /** Paths, relative to the dataset's root, of the arrays that were read. */
  readonly paths_read: string[] = [];
  readonly #tree: SourceTree;
  readonly #segment: Segment;

  constructor(tree: SourceTree, segment: Segment) {
    this.#tree = tree;
    this.#segment = segment;
  }

  /**
   * Returns the path, relative to the dataset's root, of a file of the segment with or without `.npy`; `null` if it is
   * absent.
   */
  findPath(name: string): string | null {
    const { folder } = this.#segment;
    const path = folder === '' ? name : `${folder}/${name}`;
    return [path, `${path}.npy`].find((candidate) => this.#tree.has(candidate)) ?? null;
  }

  /** Reads an array of numbers; `null` if it is absent or unreadable. */
  async readNumbers(name: string): Promise<NpyNumbers | null> {
    return this.#attempt(name, (path) => readNpyNumbers(this.#tree, path));
  }

  /** Reads the row count of an array from its header, 1 for a single number; `null` if it is absent or unreadable. */
  async countRows(name: string): Promise<number | null> {
    return this.#attempt(name, async (path) => (await readNpyHeader(this.#tree, path)).shape[0] ?? 1);
  }

  /** Adds a finding to `findings`. */
  report(finding: Finding): void {
    this.findings.push(finding);
  }

  async #attempt<Result>(name: string, readArray: (path: string) => Promise<Result>): Promise<Result | null> {
    const path = this.findPath(name);
    if (path === null) return null;
    this.paths_read.push(path);
    try {
      return await readArray(path);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      this.findings.push({
        code: 'array_unreadable',
        severity: 'error',
        path,
        message: thrown.message,
        advice: thrown.advice ?? 'restore the file from its source',
      });
      return null;
    }
  }
}

/** Values of an array file, row-major regardless of the order in the file. */
interface NpyNumbers {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** Maximum numbers per array: an hour of 7 numbers at 10 kHz. */
const maxNumbers = 256 * 1024 * 1024;
const blockBytes = 1024 * 1024;

/**
 * Reads the header of a .npy file, or throws if it is invalid or promises more bytes than the file has.
 * @throws AssayError `unreadable_input`
 */
export async function readNpyHeader(tree: SourceTree, path: string): Promise<NpyHeader> {
  const size = tree.entry(path)?.bytes ?? 0;
  const head = await tree.head(path, Math.min(size, 4096));
  const long = head.length >= 12 && head.length < size && headerEnd(head) > head.length;
  const header = parseNpyHeader(long ? await tree.head(path, Math.min(size, npyHeadBytes)) : head, path);
  const needed = header.offset + header.count * header.type.bytes;
  if (size < needed)
    throw new AssayError(
      'unreadable_input',
      `${path} is truncated: ${size} bytes, its header declares ${needed}`,
      {
        path,
        advice: 'copy the file again from its source',
      },
    );
  return header;
}

function headerEnd(head: Uint8Array): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return head[6] >= 2 ? 12 + view.getUint32(8, true) : 10 + view.getUint16(8, true);
}

/**
 * Reads a .npy array of numbers as float64 in row-major order, block by block; throws for text, and above `maxNumbers`.
 * 64-bit integers beyond 2^53 lose their last digits.
 * @throws AssayError `unreadable_input` for other contents, `limit_exceeded` above `maxNumbers`
 */
export async function readNpyNumbers(tree: SourceTree, path: string): Promise<NpyNumbers> {
  const header = await readNpyHeader(tree, path);
  const { type, shape, count, offset } = header;
  const decode = selectDecoder(type);
  if (decode === null)
    throw new AssayError('unreadable_input', `${path} contains text or bytes instead of numbers`, {
      path,
      advice: 'save the numbers as a plain array of floats',
    });
  if (count > maxNumbers)
    throw new AssayError('limit_exceeded', `${path} has ${count} numbers; at most ${maxNumbers} are read`, {
      path,
      advice: 'cut the recording into shorter parts',
    });
  const values = new Float64Array(count);
  await using file = await tree.openFile(path);
  const block = new Uint8Array(Math.min(blockBytes, count * type.bytes));
  for (let done = 0; done < count; ) {
    const batch = Math.min(count - done, Math.floor(block.length / type.bytes));
    const { bytesRead } = await file.read(block, 0, batch * type.bytes, offset + done * type.bytes);
    const whole = Math.floor(bytesRead / type.bytes);
    if (whole === 0)
      throw new AssayError('unreadable_input', `${path} became shorter while it was read`, {
        path,
        advice: 'try again when no program writes to it',
      });
    decode(new DataView(block.buffer, 0, whole * type.bytes), values, done);
    done += whole;
  }
  return { shape, values: header.column_major && shape.length > 1 ? toRowMajor(values, shape) : values };
}

type Decoder = (view: DataView, into: Float64Array, at: number) => void;

function selectDecoder({ kind, bytes, little_endian: le }: NpyType): Decoder | null {
  const each =
    (get: (view: DataView, at: number) => number): Decoder =>
    (view, into, at) => {
      for (let i = 0; i * bytes < view.byteLength; i++) into[at + i] = get(view, i * bytes);
    };
  switch (`${kind}${bytes}`) {
    case 'f8':
      return each((view, at) => view.getFloat64(at, le));
    case 'f4':
      return each((view, at) => view.getFloat32(at, le));
    case 'f2':
      return each((view, at) => decodeHalfFloat(view.getUint16(at, le)));
    case 'i8':
      return each((view, at) => Number(view.getBigInt64(at, le)));
    case 'u8':
      return each((view, at) => Number(view.getBigUint64(at, le)));
    case 'i4':
      return each((view, at) => view.getInt32(at, le));
    case 'u4':
      return each((view, at) => view.getUint32(at, le));
    case 'i2':
      return each((view, at) => view.getInt16(at, le));
    case 'u2':
      return each((view, at) => view.getUint16(at, le));
    case 'i1':
      return each((view, at) => view.getInt8(at));
    case 'u1':
    case 'b1':
      return each((view, at) => view.getUint8(at));
    default:
      return null;
  }
}

function toRowMajor(values: Float64Array, shape: readonly number[]): Float64Array {
  const sorted = new Float64Array(values.length);
  const index = new Array<number>(shape.length).fill(0);
  const strides = shape.map((_, k) => shape.slice(0, k).reduce((product, size) => product * size, 1));
  let from = 0;
  for (let i = 0; i < sorted.length; i++) {
    sorted[i] = values[from];
    for (let k = shape.length - 1; k >= 0; k--) {
      from += strides[k];
      if (++index[k] < shape[k]) break;
      from -= strides[k] * shape[k];
      index[k] = 0;
    }
  }
  return sorted;
}
