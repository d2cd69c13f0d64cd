import type { Cursor } from './cursor.ts';
import { unsupported } from './errors.ts';
import { limits } from './limits.ts';

/** Where the elements of a dataset lie. */
export type Layout =
  | { readonly kind: 'compact'; readonly bytes: Uint8Array }
  | { readonly kind: 'contiguous'; readonly address: number | null }
  | ChunkedLayout;

export interface ChunkedLayout {
  readonly kind: 'chunked';
  /** Elements of one chunk along each dimension. */
  readonly chunk: readonly number[];
  readonly elementBytes: number;
  readonly index: ChunkIndex;
  /** Chunks that reach over the edge are stored without filters. */
  readonly plainEdges: boolean;
}

/** How chunks are found. An address of null: none was written. */
type ChunkIndex = { readonly address: number | null } & (
  | { readonly kind: 'tree1' | 'implicit' | 'fixed' | 'extensible' }
  /** `wideSizes`: sizes of packed chunks are written as wide as lengths are. */
  | { readonly kind: 'tree2'; readonly wideSizes: boolean }
  | { readonly kind: 'single'; readonly bytes: number | null; readonly mask: number }
);

/** Reads a data layout message of version 1 to 5. `name` is the dataset's, for messages. */
export function readLayout(cursor: Cursor, name: string): Layout {
  const version = cursor.u8();
  if (version === 1 || version === 2) return oldLayout(cursor);
  if (version < 3 || version > 5) throw unreadable(cursor, name, `layout version ${version}`);
  const kind = cursor.u8();
  if (kind === 0) return { kind: 'compact', bytes: cursor.take(cursor.u16()) };
  if (kind === 1) return { kind: 'contiguous', address: cursor.address() };
  if (kind === 2) return version === 3 ? treeChunks(cursor) : newChunks(cursor, name, version);
  if (kind === 3) throw unreadable(cursor, name, 'virtual dataset');
  throw cursor.fault('unknown layout class');
}

function unreadable(cursor: Cursor, name: string, what: string): Error {
  const place = { file: cursor.widths.file, place: name };
  return unsupported(`unsupported: ${what}`, place, 'copy the file with h5repack --high=v114');
}

function oldLayout(cursor: Cursor): Layout {
  const rank = cursor.u8();
  const kind = cursor.u8();
  cursor.skip(5);
  const address = kind === 0 ? null : cursor.address();
  if (kind === 1) return { kind: 'contiguous', address };
  const lengths = Array.from({ length: checkedRank(cursor, rank) }, () => cursor.u32());
  if (kind === 0) return { kind: 'compact', bytes: cursor.take(cursor.u32()) };
  if (kind !== 2) throw cursor.fault('unknown layout class');
  return chunked(cursor, [...lengths.slice(0, -1), cursor.u32()], { kind: 'tree1', address });
}

function treeChunks(cursor: Cursor): Layout {
  const rank = checkedRank(cursor, cursor.u8());
  const address = cursor.address();
  return chunked(
    cursor,
    Array.from({ length: rank }, () => cursor.u32()),
    { kind: 'tree1', address },
  );
}

function newChunks(cursor: Cursor, name: string, version: number): Layout {
  const flags = cursor.u8();
  const rank = checkedRank(cursor, cursor.u8());
  const width = cursor.u8();
  const lengths = Array.from({ length: rank }, () => cursor.uint(width));
  const type = cursor.u8();
  const index = (): ChunkIndex => {
    switch (type) {
      case 1: {
        const filtered = (flags & 2) !== 0;
        const bytes = filtered ? cursor.length() : null;
        const mask = filtered ? cursor.u32() : 0;
        return { kind: 'single', bytes, mask, address: cursor.address() };
      }
      case 2:
        return { kind: 'implicit', address: cursor.address() };
      case 3:
        cursor.skip(1);
        return { kind: 'fixed', address: cursor.address() };
      case 4:
        cursor.skip(5);
        return { kind: 'extensible', address: cursor.address() };
      case 5:
        cursor.skip(6);
        return { kind: 'tree2', wideSizes: version > 4, address: cursor.address() };
      default:
        throw unreadable(cursor, name, `chunk index type ${type}`);
    }
  };
  return chunked(cursor, lengths, index(), (flags & 1) !== 0);
}

function checkedRank(cursor: Cursor, rank: number): number {
  if (rank < 1 || rank > limits.dimensions + 1) throw cursor.fault(`chunks with ${rank} dimensions`);
  return rank;
}

/** The last length is that of an element, in bytes. */
function chunked(
  cursor: Cursor,
  lengths: readonly number[],
  index: ChunkIndex,
  plainEdges = false,
): ChunkedLayout {
  const bytes = lengths.reduce((product, length) => product * length, 1);
  if (!(bytes > 0)) throw cursor.fault('chunks of 0 bytes');
  if (bytes > limits.chunkBytes) throw cursor.fault(`chunks of ${bytes} bytes`);
  return {
    kind: 'chunked',
    chunk: lengths.slice(0, -1),
    elementBytes: lengths[lengths.length - 1],
    index,
    plainEdges,
  };
}

/** Reads a fill value message of either kind; null: zeros. */
export function readFill(cursor: Cursor, isOld: boolean): Uint8Array | null {
  if (isOld) return nonEmpty(cursor.take(cursor.u32()));
  const version = cursor.u8();
  if (version === 3) return cursor.u8() & 0x20 ? nonEmpty(cursor.take(cursor.u32())) : null;
  if (version !== 1 && version !== 2) throw cursor.fault('unknown version of the fill value');
  cursor.skip(2);
  const defined = cursor.u8();
  return version === 1 || defined ? nonEmpty(cursor.take(Math.max(0, cursor.i32()))) : null;
}

function nonEmpty(value: Uint8Array): Uint8Array | null {
  return value.some((byte) => byte !== 0) ? Uint8Array.from(value) : null;
}
