import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { halfFloat } from '../shared/half-float.ts';
import { type NpyHeader, type NpyType, npyHeadBytes, parseNpyHeader } from '../shared/numpy/npy-header.ts';
import type { Segment } from './segment-files.ts';

/** Reads the arrays of one segment; what cannot be read becomes a finding and counts as absent. */
export class SegmentArrays {
  readonly findings: Finding[] = [];
  /** Paths from the dataset's root of what was read. */
  readonly read: string[] = [];
  readonly #tree: SourceTree;
  readonly #segment: Segment;

  constructor(tree: SourceTree, segment: Segment) {
    this.#tree = tree;
    this.#segment = segment;
  }

  /** Path from the dataset's root of a file of the segment, with or without `.npy`; null where it is not there. */
  place(name: string): string | null {
    const { folder } = this.#segment;
    const path = folder === '' ? name : `${folder}/${name}`;
    return [path, `${path}.npy`].find((one) => this.#tree.has(one)) ?? null;
  }

  async numbers(name: string): Promise<NpyNumbers | null> {
    return this.#attempt(name, (path) => readNpyNumbers(this.#tree, path));
  }

  /** Rows of an array that is not looked into. */
  async rows(name: string): Promise<number | null> {
    return this.#attempt(name, async (path) => (await readNpyHeader(this.#tree, path)).shape[0] ?? 1);
  }

  report(finding: Finding): void {
    this.findings.push(finding);
  }

  async #attempt<Answer>(name: string, act: (path: string) => Promise<Answer>): Promise<Answer | null> {
    const path = this.place(name);
    if (path === null) return null;
    this.read.push(path);
    try {
      return await act(path);
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

/** Numbers of an array file, row-major whatever the file's order is. */
interface NpyNumbers {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** Numbers one array may hold: an hour of 7 numbers at 10 kHz. */
const mostNumbers = 256 * 1024 * 1024;
const blockBytes = 1024 * 1024;

/** Header alone, with the file's size held against it. Throws `unreadable_input`. */
export async function readNpyHeader(tree: SourceTree, path: string): Promise<NpyHeader> {
  const size = tree.entry(path)?.bytes ?? 0;
  const head = await tree.head(path, Math.min(size, 4096));
  const long = head.length >= 12 && head.length < size && headerEnd(head) > head.length;
  const header = parseNpyHeader(long ? await tree.head(path, Math.min(size, npyHeadBytes)) : head, path);
  const needed = header.offset + header.count * header.type.bytes;
  if (size < needed)
    throw new AssayError('unreadable_input', `${path} holds ${size} bytes, its header promises ${needed}`, {
      path,
      advice: 'copy the file again from its source',
    });
  return header;
}

function headerEnd(head: Uint8Array): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return head[6] >= 2 ? 12 + view.getUint32(8, true) : 10 + view.getUint16(8, true);
}

/**
 * Reads an array of numbers block by block into one typed array. 64-bit integers beyond 2^53 lose their last digits.
 * Throws `unreadable_input` for anything else, `limit_exceeded` for more numbers than are read.
 */
export async function readNpyNumbers(tree: SourceTree, path: string): Promise<NpyNumbers> {
  const header = await readNpyHeader(tree, path);
  const { type, shape, count, offset } = header;
  const take = decoderOf(type);
  if (take === null)
    throw new AssayError('unreadable_input', `${path} holds text or bytes where numbers are expected`, {
      path,
      advice: 'save the numbers as a plain array of floats',
    });
  if (count > mostNumbers)
    throw new AssayError(
      'limit_exceeded',
      `${path} holds ${count} numbers, at most ${mostNumbers} are read`,
      {
        path,
        advice: 'cut the recording into shorter parts',
      },
    );
  const values = new Float64Array(count);
  await using file = await tree.openFile(path);
  const block = new Uint8Array(Math.min(blockBytes, count * type.bytes));
  for (let done = 0; done < count; ) {
    const wanted = Math.min(count - done, Math.floor(block.length / type.bytes));
    const { bytesRead } = await file.read(block, 0, wanted * type.bytes, offset + done * type.bytes);
    const whole = Math.floor(bytesRead / type.bytes);
    if (whole === 0)
      throw new AssayError('unreadable_input', `${path} ended while it was read`, {
        path,
        advice: 'read it again once nothing writes to it',
      });
    take(new DataView(block.buffer, 0, whole * type.bytes), values, done);
    done += whole;
  }
  return { shape, values: header.column_major && shape.length > 1 ? rowMajor(values, shape) : values };
}

type Take = (view: DataView, into: Float64Array, at: number) => void;

function decoderOf({ kind, bytes, little_endian: le }: NpyType): Take | null {
  const each =
    (get: (view: DataView, at: number) => number): Take =>
    (view, into, at) => {
      for (let i = 0; i * bytes < view.byteLength; i++) into[at + i] = get(view, i * bytes);
    };
  switch (`${kind}${bytes}`) {
    case 'f8':
      return each((view, at) => view.getFloat64(at, le));
    case 'f4':
      return each((view, at) => view.getFloat32(at, le));
    case 'f2':
      return each((view, at) => halfFloat(view.getUint16(at, le)));
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

function rowMajor(values: Float64Array, shape: readonly number[]): Float64Array {
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
