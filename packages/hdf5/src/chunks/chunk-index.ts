import type { Cursor } from '../cursor.ts';
import type { Place } from '../errors.ts';
import { beyondLimit } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import type { ChunkedLayout } from '../layout.ts';
import { limits } from '../limits.ts';
import { walkTree1 } from '../structure/tree1.ts';
import { encodedBytes, walkTree2 } from '../structure/tree2.ts';
import { readExtensible, readFixed, type TakeChunk } from './chunk-arrays.ts';
import { ChunkCollector, type ChunkGrid, type ChunkTable, stridesOf } from './chunk-table.ts';

/** What finding chunks needs to know of their dataset. */
export interface ChunkedDataset {
  readonly layout: ChunkedLayout;
  readonly grid: ChunkGrid;
  /** How far each dimension may grow; null: without end. */
  readonly maximum: readonly (number | null)[];
  readonly filtered: boolean;
  readonly place: Place;
}

/** Reads a dataset's whole index, of whichever kind. */
export async function readChunkTable(bytes: FileBytes, dataset: ChunkedDataset): Promise<ChunkTable> {
  const { layout, grid, place, filtered } = dataset;
  const { index } = layout;
  const collector = new ChunkCollector(place);
  const { address } = index;
  if (address === null) return collector.table();
  const chunkBytes = layout.chunk.reduce((product, n) => product * n, layout.elementBytes);
  switch (index.kind) {
    case 'single':
      collector.add(0, address, index.bytes ?? chunkBytes, index.mask);
      break;
    case 'tree1':
      await readTree(bytes, address, dataset, collector);
      break;
    case 'tree2':
      await readTree2(bytes, address, dataset, { chunkBytes, wideSizes: index.wideSizes }, collector);
      break;
    case 'implicit': {
      const total = grid.counts.reduce((product, n) => product * n, 1);
      if (total > limits.chunks) throw beyondLimit(`${total} chunks`, place);
      const numberAt = arrayOrder(dataset, null);
      const most = stored(dataset).reduce((product, n) => product * n, 1);
      for (let i = 0; i < Math.min(most, limits.chunks); i++) {
        const number = numberAt(i);
        if (number !== null) collector.add(number, address + i * chunkBytes, chunkBytes, 0);
      }
      break;
    }
    case 'fixed':
    case 'extensible': {
      const growing = index.kind === 'extensible' ? dataset.maximum.indexOf(null) : null;
      const numberAt = arrayOrder(dataset, growing);
      const take: TakeChunk = (position, at, size, mask) => {
        const number = numberAt(position);
        if (number !== null) collector.add(number, at, size, mask);
      };
      const read = index.kind === 'fixed' ? readFixed : readExtensible;
      await read(bytes, address, { filtered, chunkBytes, place }, take);
    }
  }
  return collector.table();
}

/** Number in the grid of the chunk whose scaled place comes next; null where it lies outside by now. */
function numberOf(grid: ChunkGrid, scaled: (dimension: number) => number): number | null {
  let number = 0;
  for (let d = 0; d < grid.counts.length; d++) {
    const at = scaled(d);
    if (at >= grid.counts[d]) return null;
    number += at * grid.strides[d];
  }
  return number;
}

async function readTree(
  bytes: FileBytes,
  address: number,
  { grid }: ChunkedDataset,
  collector: ChunkCollector,
): Promise<void> {
  const keyBytes = 8 + 8 * (grid.shape.length + 1);
  await walkTree1(bytes, address, { type: 1, keyBytes }, (key, child) => {
    const size = key.u32();
    const mask = key.u32();
    const number = numberOf(grid, (d) => Math.floor(key.uint(8) / grid.chunk[d]));
    if (number !== null) collector.add(number, child, size, mask);
  });
}

async function readTree2(
  bytes: FileBytes,
  address: number,
  { grid, filtered }: ChunkedDataset,
  { chunkBytes, wideSizes }: { readonly chunkBytes: number; readonly wideSizes: boolean },
  collector: ChunkCollector,
): Promise<void> {
  const sizeBytes = wideSizes ? bytes.widths.lengthBytes : chunkSizeBytes(chunkBytes);
  await walkTree2(bytes, address, filtered ? 11 : 10, (record: Cursor) => {
    const at = record.address();
    const size = filtered ? record.uint(sizeBytes) : chunkBytes;
    const mask = filtered ? record.u32() : 0;
    const number = numberOf(grid, () => record.uint(8));
    if (number !== null && at !== null) collector.add(number, at, size, mask);
  });
}

/** Bytes in which sizes of filtered chunks are written: one more than the plain size needs, as they may grow. */
function chunkSizeBytes(chunkBytes: number): number {
  return Math.min(8, encodedBytes(chunkBytes) + 1);
}

/** Chunks along each dimension by what the dataset may grow to: arrays of chunks are laid out for that. */
function stored({ grid, maximum }: ChunkedDataset): number[] {
  return grid.counts.map((count, d) => {
    const most = maximum[d];
    return most === null ? count : Math.ceil(most / grid.chunk[d]);
  });
}

/**
 * From a position in an array of chunks to the number in the grid. Arrays count by the largest extent; where one
 * dimension grows without end (`growing`), it counts slowest.
 */
function arrayOrder(dataset: ChunkedDataset, growing: number | null): (position: number) => number | null {
  const { grid } = dataset;
  const dimensions = grid.counts.map((_, d) => d);
  if (growing !== null && growing > 0) {
    dimensions.splice(growing, 1);
    dimensions.unshift(growing);
  }
  const counts = stored(dataset);
  const strides = stridesOf(dimensions.map((d) => counts[d]));
  return (position) => {
    let left = position;
    let number = 0;
    for (let i = 0; i < dimensions.length; i++) {
      const scaled = Math.floor(left / strides[i]);
      left -= scaled * strides[i];
      if (scaled >= grid.counts[dimensions[i]]) return null;
      number += scaled * grid.strides[dimensions[i]];
    }
    return number;
  };
}
