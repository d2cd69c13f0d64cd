import { type FileHandle, open } from 'node:fs/promises';
import { AssayError, wrapReadError } from '#core';
import {
  asStruct,
  chunkField,
  dataField,
  dropColumns,
  type FlatLeaf,
  fileField,
  flatLeaves,
  groupField,
  listAt,
  magic,
  numberAt,
  readFooter,
  setLong,
  structAt,
  textAt,
} from './footer.ts';
import { encodePlainChunk, i32, type PlainValues, physicalTypes } from './plain-chunk.ts';
import { encodeThrift, type ThriftStruct, type ThriftValue, wireTypes } from './thrift.ts';

/** Returns the new value of a flat column for a row of the file. */
export type ColumnValues = (row: number) => number;

/**
 * Writes a copy of a Parquet file to `target`, with new values in some flat columns and without the `dropped` ones;
 * throws `unreadable_input` if it is damaged or a column is not numeric. All other columns are copied byte for byte;
 * schema, row groups, compression and footer entries are retained. Holds one column of one row group in memory.
 */
export async function rewriteColumns(
  source: string,
  target: string,
  label: string,
  columns: ReadonlyMap<string, ColumnValues>,
  dropped: ReadonlySet<string> = new Set(),
): Promise<void> {
  const from = await open(source, 'r').catch((thrown: unknown) => {
    throw wrapReadError(thrown, label);
  });
  const to = await open(target, 'w');
  try {
    const footer = await readFooter(from, label);
    if (dropped.size > 0) dropColumns(footer, dropped);
    const writer = new AppendingFile(to);
    await writer.write(magic);
    await writeGroups({ from, writer, leaves: flatLeaves(footer), columns, label }, footer);
    const tail = encodeThrift(footer);
    await writer.write(tail);
    await writer.write(new Uint8Array(new Uint32Array([tail.length]).buffer));
    await writer.write(magic);
    await to.sync();
  } finally {
    await from.close();
    await to.close();
  }
}

/** Inputs of a rewrite. */
interface RewriteContext {
  readonly from: FileHandle;
  readonly writer: AppendingFile;
  readonly leaves: ReadonlyMap<string, FlatLeaf>;
  readonly columns: ReadonlyMap<string, ColumnValues>;
  readonly label: string;
}

async function writeGroups(work: RewriteContext, footer: ThriftStruct): Promise<void> {
  let row = 0;
  for (const group of listAt(footer, fileField.groups).items.map(asStruct)) {
    const rows = numberAt(group, groupField.rows);
    const began = work.writer.position;
    let unpacked = 0;
    for (const chunk of listAt(group, groupField.columns).items.map(asStruct)) {
      const data = structAt(chunk, chunkField.data);
      const name = columnPath(data);
      const fresh = name.length === 1 ? work.columns.get(name[0]) : undefined;
      if (fresh === undefined) await copyChunk(work, chunk, data);
      else await writeChunk(work, chunk, data, computeValues(work, name[0], fresh, row, rows));
      unpacked += numberAt(data, dataField.bytes);
    }
    setLong(group, groupField.bytes, unpacked);
    if (group.has(groupField.offset)) setLong(group, groupField.offset, began);
    if (group.has(groupField.packed)) setLong(group, groupField.packed, work.writer.position - began);
    row += rows;
  }
}

function columnPath(data: ThriftStruct): string[] {
  return listAt(data, dataField.name).items.map((part) =>
    part instanceof Uint8Array ? new TextDecoder().decode(part) : '',
  );
}

/** Copies a column chunk and updates its offsets. */
async function copyChunk(
  { from, writer, label }: RewriteContext,
  chunk: ThriftStruct,
  data: ThriftStruct,
): Promise<void> {
  if (textAt(chunk, chunkField.path) !== '')
    throw new AssayError(
      'unreadable_input',
      `${label} stores columns in other files, which is not supported`,
      { path: label },
    );
  const starts = [dataField.page, dataField.dictionary]
    .map((id) => numberAt(data, id))
    .filter((at) => at > 0);
  const start = Math.min(...starts);
  const moved = writer.position - start;
  await writer.copy(from, start, numberAt(data, dataField.packed), label);
  for (const id of [dataField.page, dataField.dictionary, dataField.indexPage])
    if (numberAt(data, id) > 0) setLong(data, id, numberAt(data, id) + moved);
  updateOffsets(chunk, data, start + moved);
}

/**
 * Updates the offset of a chunk, and removes references to page indexes and bloom filters, which readers do not
 * require.
 */
function updateOffsets(chunk: ThriftStruct, data: ThriftStruct, at: number): void {
  if (numberAt(chunk, chunkField.offset) > 0) setLong(chunk, chunkField.offset, at);
  for (const id of chunkField.indexes) chunk.delete(id);
  for (const id of dataField.bloom) data.delete(id);
}

/** Encodes new values as a column chunk and updates its metadata. */
async function writeChunk(
  { writer, leaves }: RewriteContext,
  chunk: ThriftStruct,
  data: ThriftStruct,
  values: PlainValues,
): Promise<void> {
  const optional = leaves.get(columnPath(data)[0])?.optional === true;
  const fresh = encodePlainChunk(values, optional, numberAt(data, dataField.codec));
  const at = writer.position;
  await writer.write(fresh.bytes);
  const encodings: ThriftValue = { elementType: wireTypes.i32, items: [0, 3] };
  data.set(dataField.encodings, { type: wireTypes.list, value: encodings });
  data.set(dataField.codec, i32(fresh.codec));
  setLong(data, dataField.values, values.length);
  setLong(data, dataField.bytes, fresh.uncompressedBytes);
  setLong(data, dataField.packed, fresh.bytes.length);
  setLong(data, dataField.page, at);
  for (const id of [dataField.dictionary, dataField.indexPage, dataField.encodingStats]) data.delete(id);
  data.set(dataField.statistics, { type: wireTypes.struct, value: fresh.statistics });
  updateOffsets(chunk, data, at);
}

/**
 * Computes the new values of a column for one row group. Throws `unreadable_input` if the column is not numeric.
 */
function computeValues(
  work: RewriteContext,
  name: string,
  fresh: ColumnValues,
  first: number,
  rows: number,
): PlainValues {
  const physical = work.leaves.get(name)?.physical;
  if (physical === physicalTypes.int64) {
    const values = new BigInt64Array(rows);
    for (let row = 0; row < rows; row++) values[row] = BigInt(fresh(first + row));
    return values;
  }
  const Kind =
    physical === physicalTypes.int32
      ? Int32Array
      : physical === physicalTypes.float
        ? Float32Array
        : physical === physicalTypes.double
          ? Float64Array
          : null;
  if (Kind === null)
    throw new AssayError('unreadable_input', `${name} in ${work.label} does not contain numbers`, {
      path: work.label,
    });
  const values = new Kind(rows);
  for (let row = 0; row < rows; row++) values[row] = fresh(first + row);
  return values;
}

/** Appends bytes to an open file and tracks the write position in bytes. */
class AppendingFile {
  position = 0;
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.position + done);
      done += bytesWritten;
    }
    this.position += bytes.length;
  }

  async copy(from: FileHandle, start: number, count: number, label: string): Promise<void> {
    const piece = new Uint8Array(Math.min(count, 1 << 20));
    for (let done = 0; done < count; ) {
      const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, count - done), start + done);
      if (bytesRead === 0)
        throw new AssayError('unreadable_input', `${label} is truncated: it ends inside a column`, {
          path: label,
        });
      await this.write(piece.subarray(0, bytesRead));
      done += bytesRead;
    }
  }
}
