import { expectChecksum } from '../chunks/checksums.ts';
import type { Cursor } from '../cursor.ts';
import { unsupported } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';
import { encodedBytes, walkTree2 } from './tree2.ts';

/** Where links and attributes lie once there are many, found by the ids that trees carry. */
export interface FractalHeap {
  object(id: Cursor): Promise<Cursor>;
  readonly idBytes: number;
}

export async function openFractalHeap(bytes: FileBytes, address: number): Promise<FractalHeap> {
  const heap = await readHeader(bytes, address);
  const huge = new Map<number, Extent>();
  let hugeRead = false;
  return {
    idBytes: heap.idBytes,
    object: async (id) => {
      const first = id.u8();
      switch ((first >> 4) & 3) {
        case 0:
          return managed(bytes, heap, id.uint(heap.offsetBytes), id.uint(heap.lengthBytes));
        case 1: {
          if (heap.hugeDirect) return huge1(bytes, id.address(), id.length());
          if (!hugeRead && heap.hugeTree !== null) await readHuge(bytes, heap.hugeTree, huge);
          hugeRead = true;
          const extent = huge.get(id.uint(Math.min(8, heap.idBytes - 1)));
          if (extent === undefined) throw id.fault('a huge object is missing from its heap');
          return huge1(bytes, extent.address, extent.length);
        }
        case 2: {
          const long = heap.idBytes - 1 > 16;
          const length = long ? ((first & 15) << 8) + id.u8() + 1 : (first & 15) + 1;
          return id.part(length);
        }
        default:
          throw id.fault('an object of unknown type in a heap');
      }
    },
  };
}

interface Extent {
  readonly address: number | null;
  readonly length: number;
}

interface Heap {
  readonly idBytes: number;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  readonly hugeDirect: boolean;
  readonly hugeTree: number | null;
  readonly checksummed: boolean;
  readonly width: number;
  readonly startBytes: number;
  readonly directRows: number;
  readonly root: number | null;
  /** 0: the root is a block of objects itself. */
  readonly rootRows: number;
}

async function readHeader(bytes: FileBytes, address: number): Promise<Heap> {
  const { offsetBytes, lengthBytes } = bytes.widths;
  const head = (await bytes.at(address, 26 + 3 * offsetBytes + 12 * lengthBytes)).expectSignature('FRHP');
  if (head.u8() !== 0) throw head.fault('unknown version of a heap');
  const idBytes = head.u16();
  const filterBytes = head.u16();
  const flags = head.u8();
  const maxManaged = head.u32();
  head.length();
  const hugeTree = head.address();
  head.length();
  head.address();
  head.skip(8 * lengthBytes);
  const width = head.u16();
  const startBytes = head.length();
  const maxDirect = head.length();
  const heapBits = head.u16();
  head.u16();
  const root = head.address();
  const rootRows = head.u16();
  if (filterBytes > 0) {
    const place = { file: bytes.file, place: `byte ${address}` };
    throw unsupported('heaps with filters are not supported', place, 'copy the file with h5repack');
  }
  expectChecksum(head, 'a heap');
  if (!isPower(startBytes) || !isPower(maxDirect) || !isPower(width) || heapBits > 64 || idBytes < 2) {
    throw head.fault('invalid heap size');
  }
  const directBits = Math.log2(maxDirect);
  return {
    ...{ idBytes, hugeTree, width, startBytes, root, rootRows },
    offsetBytes: (heapBits + 7) >> 3,
    lengthBytes: Math.min((directBits + 7) >> 3, encodedBytes(maxManaged)),
    hugeDirect: idBytes - 1 >= offsetBytes + lengthBytes,
    checksummed: (flags & 2) !== 0,
    directRows: directBits - Math.log2(startBytes) + 2,
  };
}

function isPower(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

function rowBytes(heap: Heap, row: number): number {
  return row === 0 ? heap.startBytes : heap.startBytes * 2 ** (row - 1);
}

/** Descends from the root to the block that holds an offset of the heap's own space. */
async function managed(bytes: FileBytes, heap: Heap, offset: number, length: number): Promise<Cursor> {
  let block = heap.root;
  let rows = heap.rootRows;
  let within = offset;
  for (let depth = 0; rows > 0; depth++) {
    if (block === null || depth > 64) break;
    const { row, column, from } = cellOf(heap, within, rows);
    within -= from;
    const { offsetBytes } = bytes.widths;
    const cell = (row * heap.width + column) * offsetBytes;
    (await bytes.at(block, 4)).expectSignature('FHIB');
    block = (await bytes.at(block + 5 + offsetBytes + heap.offsetBytes + cell, offsetBytes)).address();
    const rowsOfStart = Math.log2(rowBytes(heap, row)) - Math.log2(heap.startBytes * heap.width) + 1;
    rows = row < heap.directRows ? 0 : rowsOfStart;
  }
  if (block === null || rows > 0)
    throw (await bytes.atMost(0, 0)).fault('an object is missing from its heap');
  (await bytes.at(block, 4)).expectSignature('FHDB');
  return bytes.at(block + within, length);
}

/** Which block of an indirect block an offset falls into, and where that one starts. */
function cellOf(heap: Heap, offset: number, rows: number): { row: number; column: number; from: number } {
  let from = 0;
  for (let row = 0; row < rows; row++) {
    const size = rowBytes(heap, row);
    if (offset < from + size * heap.width) {
      const column = Math.floor((offset - from) / size);
      return { row, column, from: from + column * size };
    }
    from += size * heap.width;
  }
  return { row: rows - 1, column: heap.width - 1, from };
}

function huge1(bytes: FileBytes, address: number | null, length: number): Promise<Cursor> {
  return bytes.at(address ?? bytes.size, length);
}

async function readHuge(bytes: FileBytes, tree: number, into: Map<number, Extent>): Promise<void> {
  await walkTree2(bytes, tree, 1, (record) => {
    const extent = { address: record.address(), length: record.length() };
    if (into.size < limits.attributes) into.set(record.length(), extent);
  });
}
