import { type FileHandle, open } from 'node:fs/promises';
import { AssayError, asUnreadable } from '#core';
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
import { i32, type PlainValues, physicalTypes, plainChunk } from './plain-chunk.ts';
import { type ThriftStruct, type ThriftValue, thriftBytes, wire } from './thrift.ts';

/** New values of a flat column, by row of the file. */
export type NewColumn = (row: number) => number;

/**
 * Writes a Parquet file again with other values in some flat columns. Every other column is copied byte for byte; schema,
 * row groups, packing and the footer's own entries stay what they were. Rows are held a row group and column at a time.
 */
export async function rewriteColumns(
  source: string,
  target: string,
  label: string,
  columns: ReadonlyMap<string, NewColumn>,
  dropped: ReadonlySet<string> = new Set(),
): Promise<void> {
  const from = await open(source, 'r').catch((thrown: unknown) => {
    throw asUnreadable(thrown, label);
  });
  const to = await open(target, 'w');
  try {
    const footer = await readFooter(from, label);
    if (dropped.size > 0) dropColumns(footer, dropped);
    const writer = new Writer(to);
    await writer.write(magic);
    await writeGroups({ from, writer, leaves: flatLeaves(footer), columns, label }, footer);
    const tail = thriftBytes(footer);
    await writer.write(tail);
    await writer.write(new Uint8Array(new Uint32Array([tail.length]).buffer));
    await writer.write(magic);
    await to.sync();
  } finally {
    await from.close();
    await to.close();
  }
}

interface Work {
  readonly from: FileHandle;
  readonly writer: Writer;
  readonly leaves: ReadonlyMap<string, FlatLeaf>;
  readonly columns: ReadonlyMap<string, NewColumn>;
  readonly label: string;
}

async function writeGroups(work: Work, footer: ThriftStruct): Promise<void> {
  let row = 0;
  for (const group of listAt(footer, fileField.groups).items.map(asStruct)) {
    const rows = numberAt(group, groupField.rows);
    const began = work.writer.at;
    let unpacked = 0;
    for (const chunk of listAt(group, groupField.columns).items.map(asStruct)) {
      const data = structAt(chunk, chunkField.data);
      const name = nameOf(data);
      const fresh = name.length === 1 ? work.columns.get(name[0]) : undefined;
      if (fresh === undefined) await copyChunk(work, chunk, data);
      else await writeChunk(work, chunk, data, valuesOf(work, name[0], fresh, row, rows));
      unpacked += numberAt(data, dataField.bytes);
    }
    setLong(group, groupField.bytes, unpacked);
    if (group.has(groupField.offset)) setLong(group, groupField.offset, began);
    if (group.has(groupField.packed)) setLong(group, groupField.packed, work.writer.at - began);
    row += rows;
  }
}

function nameOf(data: ThriftStruct): string[] {
  return listAt(data, dataField.name).items.map((part) =>
    part instanceof Uint8Array ? new TextDecoder().decode(part) : '',
  );
}

async function copyChunk(
  { from, writer, label }: Work,
  chunk: ThriftStruct,
  data: ThriftStruct,
): Promise<void> {
  if (textAt(chunk, chunkField.path) !== '')
    throw new AssayError('unreadable_input', `${label} keeps columns in other files`, { path: label });
  const starts = [dataField.page, dataField.dictionary]
    .map((id) => numberAt(data, id))
    .filter((at) => at > 0);
  const start = Math.min(...starts);
  const moved = writer.at - start;
  await writer.copy(from, start, numberAt(data, dataField.packed), label);
  for (const id of [dataField.page, dataField.dictionary, dataField.indexPage])
    if (numberAt(data, id) > 0) setLong(data, id, numberAt(data, id) + moved);
  settle(chunk, data, start + moved);
}

/** What points at places outside the pages is left out: readers do without. */
function settle(chunk: ThriftStruct, data: ThriftStruct, at: number): void {
  if (numberAt(chunk, chunkField.offset) > 0) setLong(chunk, chunkField.offset, at);
  for (const id of chunkField.indexes) chunk.delete(id);
  for (const id of dataField.bloom) data.delete(id);
}

async function writeChunk(
  { writer, leaves }: Work,
  chunk: ThriftStruct,
  data: ThriftStruct,
  values: PlainValues,
): Promise<void> {
  const optional = leaves.get(nameOf(data)[0])?.optional === true;
  const fresh = plainChunk(values, optional, numberAt(data, dataField.codec));
  const at = writer.at;
  await writer.write(fresh.bytes);
  const encodings: ThriftValue = { of: wire.i32, items: [0, 3] };
  data.set(dataField.encodings, { type: wire.list, value: encodings });
  data.set(dataField.codec, i32(fresh.codec));
  setLong(data, dataField.values, values.length);
  setLong(data, dataField.bytes, fresh.unpacked);
  setLong(data, dataField.packed, fresh.bytes.length);
  setLong(data, dataField.page, at);
  for (const id of [dataField.dictionary, dataField.indexPage, dataField.encodingStats]) data.delete(id);
  data.set(dataField.statistics, { type: wire.struct, value: fresh.statistics });
  settle(chunk, data, at);
}

function valuesOf(work: Work, name: string, fresh: NewColumn, first: number, rows: number): PlainValues {
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
    throw new AssayError('unreadable_input', `${work.label} keeps ${name} as something other than numbers`, {
      path: work.label,
    });
  const values = new Kind(rows);
  for (let row = 0; row < rows; row++) values[row] = fresh(first + row);
  return values;
}

/** Appends to a file and knows where it is. */
class Writer {
  at = 0;
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.at + done);
      done += bytesWritten;
    }
    this.at += bytes.length;
  }

  async copy(from: FileHandle, start: number, count: number, label: string): Promise<void> {
    const piece = new Uint8Array(Math.min(count, 1 << 20));
    for (let done = 0; done < count; ) {
      const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, count - done), start + done);
      if (bytesRead === 0)
        throw new AssayError('unreadable_input', `${label} ends inside a column`, { path: label });
      await this.write(piece.subarray(0, bytesRead));
      done += bytesRead;
    }
  }
}
