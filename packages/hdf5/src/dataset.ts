import { ChunkReader } from './chunks/chunk-reader.ts';
import { chunkGrid } from './chunks/chunk-table.ts';
import { type Filter, readFilters, unreadableFilter } from './chunks/filters.ts';
import { filled, type Room, readContiguous, type StoredRows } from './chunks/row-reader.ts';
import { type Dataspace, elementsOf, readDataspace } from './dataspace.ts';
import { type Hdf5Type, readDatatype } from './datatype.ts';
import { damaged, type Place, unsupported } from './errors.ts';
import type { FileParts } from './file-parts.ts';
import { notRead, toItems, toText } from './items.ts';
import { type Layout, readFill, readLayout } from './layout.ts';
import { type NumberArray, numberType, toNumbers } from './numbers.ts';
import { AttributeSet } from './structure/attribute-set.ts';
import { messageOf, messageTypes, type ObjectHeader, resolveShared } from './structure/object-header.ts';

/**
 * An array in the file. Its first dimension is called rows; a scalar is one row. All reading is by ranges of rows,
 * `from` to before `to`, and takes memory for these and one chunk.
 */
export class Hdf5Dataset {
  readonly kind = 'dataset';
  /** `/data/demo_0/actions`. */
  readonly path: string;
  /** Elements along each dimension; empty for a scalar. Of array elements, their dimensions stand behind. */
  readonly shape: readonly number[];
  readonly rows: number;
  readonly type: Hdf5Type;
  readonly filters: readonly Filter[];
  /** Rows of one chunk: reading multiples of it unpacks no chunk twice. 1 where it is not chunked. */
  readonly chunkRows: number;
  readonly layout: 'compact' | 'contiguous' | 'chunked';
  readonly attributes: AttributeSet;
  readonly #parts: FileParts;
  readonly #place: Place;
  readonly #layout: Layout;
  readonly #stored: StoredRows;
  readonly #chunks: ChunkReader | null;

  private constructor(parts: FileParts, path: string, header: ObjectHeader, said: Said) {
    const { space, type, layout, filters, fill } = said;
    this.path = path;
    this.type = type;
    this.filters = filters;
    this.layout = layout.kind;
    this.attributes = new AttributeSet(parts, path, header);
    this.#parts = parts;
    this.#place = { file: parts.bytes.file, place: path };
    this.#layout = layout;
    const outer = space.kind === 'null' ? [0] : space.kind === 'scalar' ? [1] : space.shape;
    this.rows = outer[0];
    this.shape = [...(space.kind === 'null' ? [0] : space.shape), ...innerShape(type)];
    this.#stored = { bytes: parts.bytes, shape: outer, elementBytes: type.bytes, place: this.#place, fill };
    this.chunkRows = layout.kind === 'chunked' ? layout.chunk[0] : 1;
    this.#chunks = layout.kind === 'chunked' ? chunkReader(this.#stored, space, layout, filters) : null;
  }

  /** Reads what the header says; throws where that is damaged or not read. */
  static async open(parts: FileParts, path: string, header: ObjectHeader): Promise<Hdf5Dataset> {
    return new Hdf5Dataset(parts, path, header, await readHeader(parts, path, header));
  }

  /** Numbers of one row; 1 where the array has one dimension. */
  get rowElements(): number {
    return elementsOf(this.#stored.shape.slice(1)) * elementsOf(innerShape(this.type));
  }

  /** Bytes of one row as unpacked. */
  get rowBytes(): number {
    return elementsOf(this.#stored.shape.slice(1)) * this.type.bytes;
  }

  /** True where `readNumbers` can answer. */
  get isNumeric(): boolean {
    return numberType(this.type) !== null;
  }

  /** Bytes its elements take in the file, which may be less than they say; what was never written takes none. */
  async storedBytes(): Promise<number> {
    if (this.#chunks !== null) return this.#chunks.storedBytes();
    const isAbsent = this.#layout.kind === 'contiguous' && this.#layout.address === null;
    return isAbsent ? 0 : this.rows * this.rowBytes;
  }

  /** Elements as they are stored, unpacked. `room`: where those may lie that are in one piece. */
  async readBytes(from = 0, to = this.rows, room?: Room): Promise<Uint8Array<ArrayBuffer>> {
    if (!(from >= 0 && from <= to && to <= this.rows)) {
      throw new RangeError(`rows ${from} to ${to} are out of range: ${this.path} has rows 0 to ${this.rows}`);
    }
    const filter = unreadableFilter(this.filters);
    if (filter !== undefined) {
      const advice = 'convert the file with gzip or lzf (h5repack -f GZIP=4)';
      throw unsupported(`unsupported compression filter ${filter.name}`, this.#place, advice);
    }
    if (this.#chunks !== null) return this.#chunks.read(from, to);
    if (this.#layout.kind === 'contiguous') {
      return readContiguous(this.#stored, this.#layout.address, from, to, room);
    }
    const { bytes } = this.#layout.kind === 'compact' ? this.#layout : { bytes: new Uint8Array(0) };
    const into = filled(this.#stored, (to - from) * elementsOf(this.#stored.shape.slice(1)));
    if (bytes.length === 0) return into;
    const part = bytes.subarray(from * this.rowBytes, to * this.rowBytes);
    if (part.length < into.length) throw damaged('too few elements in its header', this.#place);
    into.set(part);
    return into;
  }

  /**
   * Numbers row by row, in an array of their own type; booleans and enumerations as their integers. `room`: where those
   * that lie in one piece may be read into, which whoever gives it may give again later.
   */
  async readNumbers(from = 0, to = this.rows, room?: Room): Promise<NumberArray> {
    const type = numberType(this.type);
    if (type === null) throw notRead(this.type, this.#place);
    return toNumbers(await this.readBytes(from, to, room), type);
  }

  /** The bytes of each element: texts, opaque values, sequences of variable length (JPEGs are stored so). */
  async readItems(from = 0, to = this.rows): Promise<Uint8Array[]> {
    return toItems({ ...this.#parts, place: this.#place }, await this.readBytes(from, to), this.type);
  }

  /** Texts, fixed or variable. */
  async readTexts(from = 0, to = this.rows): Promise<string[]> {
    if (this.type.kind !== 'text') throw notRead(this.type, this.#place);
    return (await this.readItems(from, to)).map(toText);
  }
}

interface Said {
  readonly space: Dataspace;
  readonly type: Hdf5Type;
  readonly layout: Layout;
  readonly filters: readonly Filter[];
  readonly fill: Uint8Array | null;
}

async function readHeader({ bytes }: FileParts, path: string, header: ObjectHeader): Promise<Said> {
  const place = { file: bytes.file, place: path };
  const body = async (type: number) => {
    const message = messageOf(header, type);
    return message === undefined ? null : resolveShared(bytes, message);
  };
  const spaceBody = await body(messageTypes.dataspace);
  const typeBody = await body(messageTypes.datatype);
  const layoutBody = await body(messageTypes.layout);
  if (spaceBody === null || typeBody === null || layoutBody === null) {
    throw damaged('a dataset without shape, type or layout', place);
  }
  if (messageOf(header, messageTypes.externalFiles) !== undefined) {
    const advice = 'copy the data into the file itself with h5repack';
    throw unsupported('external data files are not supported', place, advice);
  }
  const filterBody = await body(messageTypes.filters);
  const fillBody = await body(messageTypes.fill);
  const oldFill = fillBody === null ? await body(messageTypes.oldFill) : null;
  return {
    space: readDataspace(spaceBody),
    type: readDatatype(typeBody),
    layout: readLayout(layoutBody, path),
    filters: filterBody === null ? [] : readFilters(filterBody),
    fill: fillBody !== null ? readFill(fillBody, false) : oldFill === null ? null : readFill(oldFill, true),
  };
}

function chunkReader(
  rows: StoredRows,
  space: Dataspace,
  layout: Extract<Layout, { kind: 'chunked' }>,
  filters: readonly Filter[],
): ChunkReader {
  const fits = layout.chunk.length === rows.shape.length && layout.elementBytes === rows.elementBytes;
  if (!fits) throw damaged('its chunk shape does not match its shape', rows.place);
  const grid = chunkGrid(rows.shape, layout.chunk);
  const { maximum } = space;
  const dataset = { layout, grid, maximum, filtered: filters.length > 0, place: rows.place };
  return new ChunkReader(rows, dataset, filters);
}

function innerShape(type: Hdf5Type): readonly number[] {
  return type.kind === 'array' ? [...type.shape, ...innerShape(type.base)] : [];
}
