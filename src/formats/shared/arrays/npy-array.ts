import { type Hdf5Type, type NumberArray, toNumbers } from '@assay/hdf5';
import { AssayError } from '#core';
import { type NpyHeader, type NpyType, npyHeadBytes, parseNpyHeader } from './npy-header.ts';
import type { RowArray } from './row-array.ts';
import { type ByteAccess, memoryBytes } from './zip-member.ts';

/** Numbers per row above which an array in Fortran order is not read, because each one is a read of its own. */
const maxStridedElements = 4096;
/** Bytes up to which a compressed array in Fortran order is decompressed into memory. */
const maxUnpackedBytes = 64 * 1024 * 1024;

/** An array of NumPy's types: written by `numpy.save`, a member of an `.npz`, in a pickle, or in a zarr. */
export class NpyArray implements RowArray {
  readonly path: string;
  readonly shape: readonly number[];
  readonly rows: number;
  readonly type: Hdf5Type;
  readonly rowElements: number;
  readonly chunkRows: number;
  readonly #header: NpyHeader;
  readonly #label: string;
  #bytes: ByteAccess;

  /**
   * @param path name of the array in its file
   * @param label file and array, for messages
   * @param chunkRows rows that are best read together
   * @throws AssayError `unreadable_input` if there are fewer bytes than the header declares
   */
  constructor(path: string, label: string, header: NpyHeader, bytes: ByteAccess, chunkRows = 1) {
    const { shape, type, count, offset } = header;
    const needed = offset + count * type.bytes;
    if (bytes.size < needed)
      throw new AssayError(
        'unreadable_input',
        `${label} is truncated: ${bytes.size} bytes, its header declares ${needed}`,
        {
          path: label,
          advice: 'copy the file again from its source',
        },
      );
    this.path = path;
    this.chunkRows = chunkRows;
    this.shape = shape;
    this.rows = shape[0] ?? 1;
    this.type = elementType(type);
    this.rowElements = shape.slice(1).reduce((product, size) => product * size, 1);
    this.#header = header;
    this.#label = label;
    this.#bytes = bytes;
  }

  /**
   * Reads the header of an `.npy` file and returns its array; the data is read later, by rows.
   * @throws AssayError `unreadable_input` for damaged headers, unsupported types and object arrays
   */
  static async open(bytes: ByteAccess, path: string, label: string): Promise<NpyArray> {
    const start = await bytes.read(0, 12);
    const rest = start.length < 12 ? 0 : headerLength(start);
    const isLong = rest > npyHeadBytes;
    const more = isLong || rest <= 0 ? Buffer.alloc(0) : await bytes.read(start.length, rest);
    return new NpyArray(path, label, parseNpyHeader(Buffer.concat([start, more]), label), bytes);
  }

  get rowBytes(): number {
    return this.rowElements * this.type.bytes;
  }

  get isNumeric(): boolean {
    return 'fiub'.includes(this.#header.type.kind);
  }

  /** Returns the number of bytes that the array takes in its file, after compression. */
  async storedBytes(): Promise<number> {
    return this.#bytes.stored;
  }

  /**
   * Returns a copy of rows `from` to before `to` (default: all) in row-major order, in the byte order of the file.
   * @throws RangeError if the rows are out of range
   * @throws AssayError `unreadable_input` if the file is shorter, or too large to turn from Fortran order
   */
  async readBytes(from = 0, to = this.rows): Promise<Uint8Array<ArrayBuffer>> {
    if (!(from >= 0 && from <= to && to <= this.rows))
      throw new RangeError(`rows ${from} to ${to} are out of range: ${this.#label} has ${this.rows} rows`);
    const { offset, column_major, shape } = this.#header;
    if (column_major && shape.length > 1) return this.#readStrided(from, to);
    const length = (to - from) * this.rowBytes;
    return this.#read(offset + from * this.rowBytes, length);
  }

  /**
   * Returns the numbers of rows `from` to before `to` (default: all); booleans are 0 and 1.
   * @throws AssayError `unreadable_input` if the elements are no numbers
   */
  async readNumbers(from = 0, to = this.rows): Promise<NumberArray> {
    const { type } = this;
    if (!this.isNumeric || (type.kind !== 'integer' && type.kind !== 'float')) throw this.#notRead('numbers');
    return toNumbers(await this.readBytes(from, to), type);
  }

  /**
   * Returns the texts of rows `from` to before `to` (default: all) without padding zeros; throws `unreadable_input` for
   * other types.
   */
  async readTexts(from = 0, to = this.rows): Promise<string[]> {
    const { kind, bytes, little_endian } = this.#header.type;
    if (kind !== 'S' && kind !== 'U') throw this.#notRead('texts');
    const block = Buffer.from(await this.readBytes(from, to));
    const count = bytes === 0 ? 0 : Math.floor(block.length / bytes);
    return Array.from({ length: count }, (_, at) => {
      const cell = block.subarray(at * bytes, (at + 1) * bytes);
      return kind === 'S' ? cell.toString('utf8').replace(/\0+$/, '') : decodeUcs4(cell, little_endian);
    });
  }

  /** Throws `unreadable_input`: NumPy arrays have no elements of variable length. */
  async readItems(): Promise<Uint8Array[]> {
    throw this.#notRead('elements of variable length');
  }

  /** Returns a copy whose bytes are in memory, in row-major order, and do not keep its file in memory. */
  async copy(): Promise<NpyArray> {
    const bytes = memoryBytes(Uint8Array.from(await this.readBytes()));
    const header = { ...this.#header, column_major: false, offset: 0 };
    return new NpyArray(this.path, this.#label, header, bytes);
  }

  /** Frees what decompression holds; the array can be read again afterwards. */
  close(): void {
    this.#bytes.close();
  }

  async #read(position: number, length: number): Promise<Buffer<ArrayBuffer>> {
    const bytes = await this.#bytes.read(position, length);
    if (bytes.length === length)
      return startsBuffer(bytes) ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
    throw new AssayError('unreadable_input', `${this.#label} ends before its last row`, {
      path: this.#label,
      advice: 'copy the file again; do not read it while a program writes to it',
    });
  }

  /** Reads rows of an array in Fortran order, in which the rows of one element lie together, and turns them. */
  async #readStrided(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const { offset, shape, type } = this.#header;
    const inner = shape.slice(1);
    if (
      this.rowElements > maxStridedElements ||
      (!this.#bytes.isRandom && this.#bytes.size > maxUnpackedBytes)
    )
      throw new AssayError(
        'unreadable_input',
        `${this.#label} is stored column by column (Fortran order), with too many columns to read it by rows`,
        {
          path: this.#label,
          advice: 'save it again with numpy.ascontiguousarray',
        },
      );
    if (!this.#bytes.isRandom) this.#bytes = await unpacked(this.#bytes);
    const rows = to - from;
    const turned = new Uint8Array(rows * this.rowBytes);
    for (let column = 0; column < this.rowElements; column++) {
      const target = rowMajorIndex(column, inner) * type.bytes;
      const values = await this.#read(offset + (column * this.rows + from) * type.bytes, rows * type.bytes);
      for (let row = 0; row < rows; row++)
        for (let byte = 0; byte < type.bytes; byte++)
          turned[row * this.rowBytes + target + byte] = values[row * type.bytes + byte];
    }
    return turned;
  }

  #notRead(what: string): AssayError {
    return new AssayError('unreadable_input', `${this.#label} does not contain ${what}`, {
      path: this.#label,
      advice: 'map another array',
    });
  }
}

const startsBuffer = (bytes: Buffer): boolean => bytes.byteOffset === 0;

/** Number of bytes behind the first twelve that belong to the header. */
function headerLength(start: Buffer): number {
  return start[6] >= 2 ? start.readUInt32LE(8) : 10 + start.readUInt16LE(8) - 12;
}

async function unpacked(bytes: ByteAccess): Promise<ByteAccess> {
  const all = await bytes.read(0, bytes.size);
  bytes.close();
  return memoryBytes(all);
}

/** Returns the index in row-major order of an element that is given by its index in column-major order. */
function rowMajorIndex(columnMajor: number, shape: readonly number[]): number {
  let rest = columnMajor;
  let index = 0;
  let stride = shape.reduce((product, size) => product * size, 1);
  for (const size of shape) {
    stride /= size;
    index += (rest % size) * stride;
    rest = Math.floor(rest / size);
  }
  return index;
}

function decodeUcs4(cell: Buffer, isLittleEndian: boolean): string {
  let text = '';
  for (let at = 0; at + 4 <= cell.length; at += 4) {
    const code = isLittleEndian ? cell.readUInt32LE(at) : cell.readUInt32BE(at);
    if (code === 0) break;
    text += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  }
  return text;
}

const floatBits: Readonly<Record<number, readonly [exponent: number, mantissa: number]>> = {
  2: [5, 10],
  4: [8, 23],
  8: [11, 52],
};

/** Describes a NumPy type as the HDF5 type of the same bytes, so that both are decoded by the same code. */
function elementType({ kind, bytes, little_endian }: NpyType): Hdf5Type {
  const bigEndian = !little_endian;
  if (kind === 'f') {
    const [bits, mantissa] = floatBits[bytes];
    return {
      ...{ kind: 'float', bytes, bigEndian, signBit: bytes * 8 - 1 },
      exponent: { at: mantissa, bits, bias: 2 ** (bits - 1) - 1 },
      mantissa: { at: 0, bits: mantissa, impliedOne: true },
    };
  }
  if (kind === 'i' || kind === 'u' || kind === 'b')
    return { kind: 'integer', bytes, bigEndian, signed: kind === 'i', bitOffset: 0, precision: bytes * 8 };
  if (kind === 'V') return { kind: 'opaque', bytes, tag: '' };
  return { kind: 'text', bytes, variable: false, padding: 'zeros', utf8: true };
}
