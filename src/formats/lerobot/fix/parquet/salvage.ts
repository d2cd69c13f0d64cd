import { open } from 'node:fs/promises';
import { type CountedLeaf, type DealtGroup, dealPages } from './deal-pages.ts';
import { asStruct, fileField, listAt, magic, numberAt, textAt } from './footer.ts';
import { i32 } from './plain-chunk.ts';
import { type ThriftField, type ThriftStruct, type ThriftValue, thriftBytes, wire } from './thrift.ts';
import { type Page, packingOf, walkPages } from './walk-pages.ts';

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
