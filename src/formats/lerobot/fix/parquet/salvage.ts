import { type FileHandle, open } from 'node:fs/promises';
import { asStruct, fileField, listAt, magic, numberAt, structAt, textAt } from './footer.ts';
import { i32 } from './plain-chunk.ts';
import {
  type ThriftField,
  ThriftReader,
  type ThriftStruct,
  type ThriftValue,
  thriftBytes,
  wire,
} from './thrift.ts';

/** What is known of the columns of a file without a footer: its schema, and how many values a row each has. */
export interface KnownSchema {
  /** `SchemaElement`s, the root first. */
  readonly elements: readonly ThriftStruct[];
  readonly leaves: readonly SchemaLeaf[];
}

export interface SchemaLeaf extends CountedLeaf {
  readonly path: readonly string[];
  readonly physical: number;
}

/** Rows that were got back. */
export interface Salvaged {
  readonly rows: number;
  readonly groups: number;
}

/**
 * Writes a Parquet file whose footer was lost once more, with every row group that is whole. `most`: no more groups than
 * that. Null where its pages do not fit the schema.
 */
export async function salvage(
  source: string,
  target: string,
  schema: KnownSchema,
  most = Infinity,
): Promise<Salvaged | null> {
  const from = await open(source, 'r');
  try {
    const pages = await walkPages(from);
    const codec = packingOf(pages);
    const groups = codec === null ? null : (dealPages(pages, schema.leaves)?.slice(0, most) ?? null);
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
      const footer = thriftBytes(footerOf(schema, groups, codec));
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

function footerOf(
  { elements, leaves }: KnownSchema,
  groups: readonly DealtGroup[],
  codec: number,
): ThriftStruct {
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  return new Map([
    [1, i32(2)],
    [2, list(wire.struct, [...elements])],
    [3, long(rows)],
    [
      4,
      list(
        wire.struct,
        groups.map((group) => groupOf(group, leaves, codec)),
      ),
    ],
    [6, text('assay fix')],
  ]);
}

function groupOf({ rows, columns }: DealtGroup, leaves: readonly SchemaLeaf[], codec: number): ThriftStruct {
  const bytes = columns.flat().reduce((sum, page) => sum + page.unpacked, 0);
  const chunks = columns.map((pages, at) => chunkOf(pages, leaves[at], codec));
  return new Map([
    [1, list(wire.struct, chunks)],
    [2, long(bytes)],
    [3, long(rows)],
  ]);
}

function chunkOf(pages: readonly Page[], { path, physical }: SchemaLeaf, codec: number): ThriftStruct {
  const sum = (of: (page: Page) => number) => pages.reduce((total, page) => total + of(page), 0);
  const encodings = [...new Set([...pages.map(({ encoding }) => encoding), 3])];
  const first = pages.find(({ kind }) => kind === 'data')!;
  const data: ThriftStruct = new Map([
    [1, i32(physical)],
    [2, list(wire.i32, encodings)],
    [3, list(wire.binary, path.map(bytesOf))],
    [4, i32(codec)],
    [5, long(sum(({ values }) => values))],
    [6, long(sum(({ unpacked }) => unpacked))],
    [7, long(sum(({ bytes }) => bytes))],
    [9, long(first.at)],
  ]);
  if (pages[0].kind === 'dictionary') data.set(11, long(pages[0].at));
  return new Map<number, ThriftField>([
    [2, long(pages[0].at)],
    [3, { type: wire.struct, value: data }],
  ]);
}

function list(of: number, items: ThriftValue[]): ThriftField {
  return { type: wire.list, value: { of, items } };
}

function long(value: number): ThriftField {
  return { type: wire.i64, value };
}

function text(value: string): ThriftField {
  return { type: wire.binary, value: bytesOf(value) };
}

function bytesOf(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** The schema of a file that is whole; `perRow` gives how many values a row a column has, by its name. */
export function schemaOfFooter(footer: ThriftStruct, perRow: (name: string) => number): KnownSchema {
  const elements = listAt(footer, fileField.schema).items.map(asStruct);
  return { elements, leaves: leavesOf(elements, perRow) };
}

/** The columns that are stored, in order, from a schema's elements. */
export function leavesOf(elements: readonly ThriftStruct[], perRow: (name: string) => number): SchemaLeaf[] {
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

/** A column as its pages count values: so many a row. */
interface CountedLeaf {
  readonly values_per_row: number;
}

/** The pages of each column of a row group, and its rows. */
interface DealtGroup {
  readonly rows: number;
  readonly columns: readonly (readonly Page[])[];
}

/**
 * Which pages are which column's: they lie column after column, group after group, each column of a group with as many
 * rows. A group whose last column is not whole is left out. Null where the pages do not come out even.
 */
function dealPages(pages: readonly Page[], leaves: readonly CountedLeaf[]): DealtGroup[] | null {
  const groups: DealtGroup[] = [];
  let at = 0;
  while (at < pages.length) {
    const group = groupAt(pages, at, leaves);
    if (group === null) break;
    groups.push(group);
    at += group.columns.reduce((sum, { length }) => sum + length, 0);
  }
  return groups.length === 0 ? null : groups;
}

/** Its first column ends at a dictionary or at some page: the shortest with which all others come out even. */
function groupAt(pages: readonly Page[], from: number, leaves: readonly CountedLeaf[]): DealtGroup | null {
  let rows = 0;
  for (let end = from; end < pages.length; end++) {
    const page = pages[end];
    if (page.kind === 'dictionary' && end > from) return null;
    if (page.kind === 'dictionary') continue;
    rows += page.values / leaves[0].values_per_row;
    if (!Number.isInteger(rows)) return null;
    const group = withRows(pages, from, leaves, rows);
    if (group !== null) return group;
  }
  return null;
}

function withRows(
  pages: readonly Page[],
  from: number,
  leaves: readonly CountedLeaf[],
  rows: number,
): DealtGroup | null {
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

/** A page of a column, as it lies in the file. */
interface Page {
  readonly at: number;
  /** With its header. */
  readonly bytes: number;
  /** Without packing, with its header. */
  readonly unpacked: number;
  readonly kind: 'data' | 'dictionary';
  /** Values, entries of lists counted one by one; 0 of a dictionary. */
  readonly values: number;
  readonly encoding: number;
  /** First bytes of the content, by which its packing shows. */
  readonly head: Uint8Array;
  readonly content: number;
}

const largestHeader = 64 * 1024;

/** The pages of a file from its first byte on, as far as they are whole; what comes behind is no page. */
async function walkPages(file: FileHandle): Promise<Page[]> {
  const { size } = await file.stat();
  const pages: Page[] = [];
  for (let at = 4; at < size; ) {
    const page = await pageAt(file, at, size);
    if (page === null) break;
    pages.push(page);
    at += page.bytes;
  }
  return pages;
}

async function pageAt(file: FileHandle, at: number, size: number): Promise<Page | null> {
  const window = new Uint8Array(Math.min(largestHeader, size - at));
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
      unpacked: reader.at + unpacked,
      kind: type === 2 ? 'dictionary' : 'data',
      values: type === 2 ? 0 : numberAt(own, 1),
      encoding: numberAt(own, type === 3 ? 4 : 2),
      head: window.slice(reader.at, reader.at + 16),
      content: unpacked,
    };
  } catch {
    return null;
  }
}

/** Parquet's number of the packing, as the first page shows it; null where it is none that is known. */
function packingOf(pages: readonly Page[]): number | null {
  const page = pages.find(({ bytes, content }) => bytes > 0 && content > 0);
  if (page === undefined) return null;
  const { head, content } = page;
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 6;
  if (head[0] === 0x1f && head[1] === 0x8b) return 2;
  if (startsWithLength(head, content)) return 1;
  return pages.every((one) => one.bytes === one.unpacked) ? 0 : null;
}

/** Snappy says first how long what it holds is. */
function startsWithLength(head: Uint8Array, length: number): boolean {
  let value = 0;
  for (let at = 0, shift = 1; at < 5; at++, shift *= 128) {
    value += (head[at] & 127) * shift;
    if (head[at] < 128) return value === length;
  }
  return false;
}
