import { type FileHandle, open } from 'node:fs/promises';
import { asStruct, fileField, listAt, magic, numberAt, structAt, textAt } from './footer.ts';
import { i32 } from './plain-chunk.ts';
import {
  encodeThrift,
  type ThriftField,
  ThriftReader,
  type ThriftStruct,
  type ThriftValue,
  wireTypes,
} from './thrift.ts';

/** Schema of a file without a footer, and the values per row of each column. */
export interface SalvageSchema {
  /** `SchemaElement`s, the root first. */
  readonly elements: readonly ThriftStruct[];
  readonly leaves: readonly SchemaLeaf[];
}

/** A stored column of the schema. */
export interface SchemaLeaf extends CountedLeaf {
  readonly path: readonly string[];
  readonly physical: number;
}

/** Number of recovered rows and row groups. */
export interface Salvaged {
  readonly rows: number;
  readonly groups: number;
}

/**
 * Copies the complete row groups of a Parquet file without a footer to `target`, at most `maxGroups`, with a new
 * footer; null if none matches the schema, or the compression is unknown.
 */
export async function salvage(
  source: string,
  target: string,
  schema: SalvageSchema,
  maxGroups = Infinity,
): Promise<Salvaged | null> {
  const from = await open(source, 'r');
  try {
    const pages = await readPages(from);
    const codec = detectCodec(pages);
    const groups = codec === null ? null : (assignPages(pages, schema.leaves)?.slice(0, maxGroups) ?? null);
    if (codec === null || groups === null || groups.length === 0) return null;
    const last = groups[groups.length - 1].columns.at(-1)!.at(-1)!;
    const to = await open(target, 'w');
    try {
      const end = last.at + last.bytes;
      const piece = new Uint8Array(1 << 20);
      for (let at = 0; at < end; ) {
        const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, end - at), at);
        if (bytesRead === 0) return null;
        await to.write(piece, 0, bytesRead, at);
        at += bytesRead;
      }
      const footer = encodeThrift(buildFooter(schema, groups, codec));
      await to.write(footer, 0, footer.length, end);
      const trailer = Uint8Array.from([...new Uint8Array(new Uint32Array([footer.length]).buffer), ...magic]);
      await to.write(trailer, 0, trailer.length, end + footer.length);
    } finally {
      await to.close();
    }
    return { rows: groups.reduce((sum, { rows }) => sum + rows, 0), groups: groups.length };
  } finally {
    await from.close();
  }
}

/** Builds the FileMetaData struct. */
function buildFooter(
  { elements, leaves }: SalvageSchema,
  groups: readonly PageGroup[],
  codec: number,
): ThriftStruct {
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  return new Map([
    [1, i32(2)],
    [2, thriftList(wireTypes.struct, [...elements])],
    [3, thriftLong(rows)],
    [
      4,
      thriftList(
        wireTypes.struct,
        groups.map((group) => buildRowGroup(group, leaves, codec)),
      ),
    ],
    [6, thriftText('assay fix')],
  ]);
}

function buildRowGroup(
  { rows, columns }: PageGroup,
  leaves: readonly SchemaLeaf[],
  codec: number,
): ThriftStruct {
  const bytes = columns.flat().reduce((sum, page) => sum + page.uncompressedBytes, 0);
  const chunks = columns.map((pages, at) => buildColumnChunk(pages, leaves[at], codec));
  return new Map([
    [1, thriftList(wireTypes.struct, chunks)],
    [2, thriftLong(bytes)],
    [3, thriftLong(rows)],
  ]);
}

function buildColumnChunk(
  pages: readonly Page[],
  { path, physical }: SchemaLeaf,
  codec: number,
): ThriftStruct {
  const sum = (of: (page: Page) => number) => pages.reduce((total, page) => total + of(page), 0);
  const encodings = [...new Set([...pages.map(({ encoding }) => encoding), 3])];
  const first = pages.find(({ kind }) => kind === 'data')!;
  const data: ThriftStruct = new Map([
    [1, i32(physical)],
    [2, thriftList(wireTypes.i32, encodings)],
    [3, thriftList(wireTypes.binary, path.map(encodeText))],
    [4, i32(codec)],
    [5, thriftLong(sum(({ values }) => values))],
    [6, thriftLong(sum(({ uncompressedBytes }) => uncompressedBytes))],
    [7, thriftLong(sum(({ bytes }) => bytes))],
    [9, thriftLong(first.at)],
  ]);
  if (pages[0].kind === 'dictionary') data.set(11, thriftLong(pages[0].at));
  return new Map<number, ThriftField>([
    [2, thriftLong(pages[0].at)],
    [3, { type: wireTypes.struct, value: data }],
  ]);
}

function thriftList(of: number, items: ThriftValue[]): ThriftField {
  return { type: wireTypes.list, value: { elementType: of, items } };
}

function thriftLong(value: number): ThriftField {
  return { type: wireTypes.i64, value };
}

function thriftText(value: string): ThriftField {
  return { type: wireTypes.binary, value: encodeText(value) };
}

function encodeText(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Returns the schema of an intact file, with the values per row of each column from `perRow` by name. */
export function schemaFromFooter(footer: ThriftStruct, perRow: (name: string) => number): SalvageSchema {
  const elements = listAt(footer, fileField.schema).items.map(asStruct);
  return { elements, leaves: listLeaves(elements, perRow) };
}

/**
 * Lists the stored columns of a schema in order, with their paths, types and values per row (`perRow` of the top-level
 * name).
 */
export function listLeaves(
  elements: readonly ThriftStruct[],
  perRow: (name: string) => number,
): SchemaLeaf[] {
  const leaves: SchemaLeaf[] = [];
  let at = 1;
  const walk = (path: readonly string[]): void => {
    const element = elements[at++];
    const own = [...path, textAt(element, 4)];
    const children = Math.max(0, numberAt(element, 5));
    if (children === 0)
      leaves.push({ path: own, physical: numberAt(element, 1), values_per_row: perRow(own[0]) });
    for (let child = 0; child < children; child++) walk(own);
  };
  while (at < elements.length) walk([]);
  return leaves;
}

/** Values per row of a column. */
interface CountedLeaf {
  readonly values_per_row: number;
}

/** The pages of a row group by column, and its number of rows. */
interface PageGroup {
  readonly rows: number;
  readonly columns: readonly (readonly Page[])[];
}

/**
 * Assigns pages to columns: they are stored column by column and group by group, with equal row counts within a group.
 * An incomplete last group is dropped. Returns null if no group is complete.
 */
function assignPages(pages: readonly Page[], leaves: readonly CountedLeaf[]): PageGroup[] | null {
  const groups: PageGroup[] = [];
  let at = 0;
  while (at < pages.length) {
    const group = findGroup(pages, at, leaves);
    if (group === null) break;
    groups.push(group);
    at += group.columns.reduce((sum, { length }) => sum + length, 0);
  }
  return groups.length === 0 ? null : groups;
}

/**
 * Finds the row group that begins at page `from`: the shortest first column with which all other columns have the same
 * rows. Null if there is none.
 */
function findGroup(pages: readonly Page[], from: number, leaves: readonly CountedLeaf[]): PageGroup | null {
  let rows = 0;
  for (let end = from; end < pages.length; end++) {
    const page = pages[end];
    if (page.kind === 'dictionary' && end > from) return null;
    if (page.kind === 'dictionary') continue;
    rows += page.values / leaves[0].values_per_row;
    if (!Number.isInteger(rows)) return null;
    const group = splitByRows(pages, from, leaves, rows);
    if (group !== null) return group;
  }
  return null;
}

/** Splits pages into columns of `rows` rows each; null if they do not fit. */
function splitByRows(
  pages: readonly Page[],
  from: number,
  leaves: readonly CountedLeaf[],
  rows: number,
): PageGroup | null {
  const columns: Page[][] = [];
  let at = from;
  for (const { values_per_row } of leaves) {
    const column: Page[] = [];
    let values = 0;
    while (values < rows * values_per_row) {
      const page = pages[at];
      if (page === undefined || (page.kind === 'dictionary' && column.length > 0)) return null;
      values += page.values;
      column.push(page);
      at += 1;
    }
    if (values !== rows * values_per_row) return null;
    columns.push(column);
  }
  return { rows, columns };
}

/** A page in the file. */
interface Page {
  readonly at: number;
  /** Size with header, in bytes. */
  readonly bytes: number;
  /** Uncompressed size with header, in bytes. */
  readonly uncompressedBytes: number;
  readonly kind: 'data' | 'dictionary';
  /** Number of values, including list entries; 0 for a dictionary. */
  readonly values: number;
  readonly encoding: number;
  /** First bytes of the content, used to detect its compression. */
  readonly head: Uint8Array;
  readonly contentBytes: number;
}

const maxHeaderBytes = 64 * 1024;

/** Reads the complete pages from the start of the file, up to the first bytes that are not a page. */
async function readPages(file: FileHandle): Promise<Page[]> {
  const { size } = await file.stat();
  const pages: Page[] = [];
  for (let at = 4; at < size; ) {
    const page = await readPage(file, at, size);
    if (page === null) break;
    pages.push(page);
    at += page.bytes;
  }
  return pages;
}

/** Reads the page header at offset `at`; null if no complete page begins there. */
async function readPage(file: FileHandle, at: number, size: number): Promise<Page | null> {
  const window = new Uint8Array(Math.min(maxHeaderBytes, size - at));
  const { bytesRead } = await file.read(window, 0, window.length, at);
  try {
    const reader = new ThriftReader(window.subarray(0, bytesRead));
    const header = reader.struct();
    const [type, unpacked, packed] = [1, 2, 3].map((id) => numberAt(header, id));
    const place = { 0: 5, 2: 7, 3: 8 }[type];
    if (place === undefined || unpacked < 0 || packed < 0 || at + reader.at + packed > size) return null;
    const own = structAt(header, place);
    return {
      at,
      bytes: reader.at + packed,
      uncompressedBytes: reader.at + unpacked,
      kind: type === 2 ? 'dictionary' : 'data',
      values: type === 2 ? 0 : numberAt(own, 1),
      encoding: numberAt(own, type === 3 ? 4 : 2),
      head: window.slice(reader.at, reader.at + 16),
      contentBytes: unpacked,
    };
  } catch {
    return null;
  }
}

/** Returns the Parquet codec id detected from the first page; null if it is unknown. */
function detectCodec(pages: readonly Page[]): number | null {
  const page = pages.find(({ bytes, contentBytes }) => bytes > 0 && contentBytes > 0);
  if (page === undefined) return null;
  const { head, contentBytes: content } = page;
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 6;
  if (head[0] === 0x1f && head[1] === 0x8b) return 2;
  if (startsWithLength(head, content)) return 1;
  return pages.every((one) => one.bytes === one.uncompressedBytes) ? 0 : null;
}

/** Returns true if the data starts with its length as varint, as Snappy does. */
function startsWithLength(head: Uint8Array, length: number): boolean {
  let value = 0;
  for (let at = 0, shift = 1; at < 5; at++, shift *= 128) {
    value += (head[at] & 127) * shift;
    if (head[at] < 128) return value === length;
  }
  return false;
}
