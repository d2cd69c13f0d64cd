import type { Cursor } from '../cursor.ts';
import { beyondLimit, type Place } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';
import { expectChecksum } from './checksums.ts';

/** How an array describes its chunks. */
interface ArrayChunks {
  readonly filtered: boolean;
  readonly chunkBytes: number;
  readonly place: Place;
}

/** One stored chunk: its position in the array, and where it lies. */
export type TakeChunk = (position: number, address: number, bytes: number, mask: number) => void;

/** What is the same for every block of one array. */
interface ArrayWalk extends ArrayChunks {
  readonly bytes: FileBytes;
  readonly elementBytes: number;
  /** Elements of a page; blocks of more are cut into pages. */
  readonly pageElements: number;
  /** Elements in use; what lies behind is not looked at. */
  readonly count: number;
  readonly take: TakeChunk;
}

/** Chunks of a dataset whose largest extent is fixed. */
export async function readFixed(
  bytes: FileBytes,
  address: number,
  chunks: ArrayChunks,
  take: TakeChunk,
): Promise<void> {
  const { offsetBytes, lengthBytes } = bytes.widths;
  const head = (await bytes.at(address, 12 + lengthBytes + offsetBytes)).expectSignature('FAHD').skip(2);
  const elementBytes = head.u8();
  const pageElements = 2 ** head.u8();
  const count = head.length();
  const block = head.address();
  expectChecksum(head, 'an array of chunks');
  if (count > limits.chunks) throw beyondLimit(`${count} chunks`, chunks.place);
  checkElement(head, elementBytes, chunks, offsetBytes);
  if (block === null) return;
  const walk: ArrayWalk = { ...chunks, bytes, elementBytes, pageElements, count, take };
  const prefix = 6 + offsetBytes;
  (await bytes.at(block, prefix)).expectSignature('FADB');
  if (count <= pageElements) return elements(walk, block, { skip: prefix, from: 0, count });
  const pages = Math.ceil(count / pageElements);
  const made = await bytes.at(block + prefix, (pages + 7) >> 3);
  const first = block + prefix + made.left + 4;
  await readPages(walk, first, { from: 0, count, made: made.bytes, madeFrom: 0 });
}

/** Chunks of a dataset that grows along one dimension. */
export async function readExtensible(
  bytes: FileBytes,
  address: number,
  chunks: ArrayChunks,
  take: TakeChunk,
): Promise<void> {
  const array = await extensibleHeader(bytes, address, chunks, take);
  const { offsetBytes } = bytes.widths;
  const { indexElements, minPointers, indexBlock, walk } = array;
  if (indexBlock === null) return;
  const superBlocks = superBlocksOf(array);
  // The index block itself points to the data blocks of the first super blocks.
  const inIndex = 2 * Math.log2(minPointers);
  const direct = superBlocks.slice(0, inIndex);
  const directBlocks = direct.reduce((sum, { blocks }) => sum + blocks, 0);
  const prefix = 6 + offsetBytes;
  const pointersAt = prefix + indexElements * walk.elementBytes;
  const pointers = directBlocks + Math.max(0, superBlocks.length - inIndex);
  const block = await bytes.at(indexBlock, pointersAt + pointers * offsetBytes + 4);
  block.expectSignature('EAIB').skip(2 + offsetBytes);
  readElements(walk, block, 0, Math.min(indexElements, walk.count));
  block.at = pointersAt;
  let from = indexElements;
  for (const { blocks, elements: size } of direct) {
    for (let i = 0; i < blocks; i++, from += size) {
      const at = block.address();
      if (at !== null && from < walk.count)
        await dataBlock(walk, at, { from, size, offset: array.blockOffsetBytes });
    }
  }
  for (const own of superBlocks.slice(inIndex)) {
    const at = block.address();
    if (at !== null && from < walk.count) await superBlock(array, at, own, from);
    from += own.blocks * own.elements;
  }
  expectChecksum(block, 'an array of chunks');
}

interface Extensible {
  readonly walk: ArrayWalk;
  readonly indexElements: number;
  readonly minPointers: number;
  readonly minElements: number;
  readonly indexBits: number;
  readonly blockOffsetBytes: number;
  readonly indexBlock: number | null;
}

async function extensibleHeader(
  bytes: FileBytes,
  address: number,
  chunks: ArrayChunks,
  take: TakeChunk,
): Promise<Extensible> {
  const { offsetBytes, lengthBytes } = bytes.widths;
  const head = (await bytes.at(address, 16 + 6 * lengthBytes + offsetBytes)).expectSignature('EAHD').skip(2);
  const elementBytes = head.u8();
  const indexBits = head.u8();
  const indexElements = head.u8();
  const minElements = head.u8();
  const minPointers = head.u8();
  const pageElements = 2 ** head.u8();
  head.skip(4 * lengthBytes);
  const count = head.length();
  head.length();
  const indexBlock = head.address();
  expectChecksum(head, 'an array of chunks');
  checkElement(head, elementBytes, chunks, offsetBytes);
  const whole = [Math.log2(minElements), Math.log2(minPointers)].every(
    (log) => Number.isInteger(log) && log >= 0,
  );
  if (!whole || indexBits > 64) throw head.fault('invalid array size');
  if (count > limits.chunks) throw beyondLimit(`${count} chunks`, chunks.place);
  const walk: ArrayWalk = { ...chunks, bytes, elementBytes, pageElements, count, take };
  const blockOffsetBytes = (indexBits + 7) >> 3;
  return { walk, indexElements, minPointers, minElements, indexBits, blockOffsetBytes, indexBlock };
}

interface SuperBlock {
  readonly blocks: number;
  /** Of each of its data blocks. */
  readonly elements: number;
}

/** Super block n has 2^(n/2) data blocks of minElements * 2^((n+1)/2) elements. */
function superBlocksOf({ indexBits, minElements }: Extensible): SuperBlock[] {
  const count = 1 + indexBits - Math.log2(minElements);
  return Array.from({ length: Math.max(0, count) }, (_, n) => ({
    blocks: 2 ** Math.floor(n / 2),
    elements: minElements * 2 ** Math.floor((n + 1) / 2),
  }));
}

async function superBlock(array: Extensible, address: number, own: SuperBlock, first: number): Promise<void> {
  const { walk, blockOffsetBytes } = array;
  const { bytes, pageElements } = walk;
  const { offsetBytes } = bytes.widths;
  const pages = own.elements > pageElements ? own.elements / pageElements : 0;
  const madeBytes = Math.ceil(pages / 8);
  const prefix = 6 + offsetBytes + blockOffsetBytes;
  const length = prefix + own.blocks * (madeBytes + offsetBytes) + 4;
  const block = (await bytes.at(address, length)).expectSignature('EASB');
  block.at = prefix;
  const made = block.take(own.blocks * madeBytes);
  for (let i = 0, from = first; i < own.blocks; i++, from += own.elements) {
    const at = block.address();
    if (at === null || from >= walk.count) continue;
    const part = { from, size: own.elements, offset: blockOffsetBytes };
    if (pages === 0) await dataBlock(walk, at, part);
    else {
      const count = Math.min(own.elements, walk.count - from);
      const behindPrefix = at + prefix + 4;
      await readPages(walk, behindPrefix, { from, count, made, madeFrom: i * pages });
    }
  }
  expectChecksum(block, 'an array of chunks');
}

interface DataBlock {
  readonly from: number;
  readonly size: number;
  readonly offset: number;
}

async function dataBlock(walk: ArrayWalk, address: number, { from, size, offset }: DataBlock): Promise<void> {
  const prefix = 6 + walk.bytes.widths.offsetBytes + offset;
  (await walk.bytes.at(address, prefix)).expectSignature('EADB');
  await elements(walk, address, { skip: prefix, from, count: size });
}

interface Pages {
  readonly from: number;
  readonly count: number;
  /** A bit for each page that was written, highest first; those of a super block's blocks stand one behind the other. */
  readonly made: Uint8Array;
  readonly madeFrom: number;
}

async function readPages(
  walk: ArrayWalk,
  address: number,
  { from, count, made, madeFrom }: Pages,
): Promise<void> {
  const pageBytes = walk.pageElements * walk.elementBytes + 4;
  for (let page = 0, done = 0; done < count; page++, done += walk.pageElements) {
    const bit = madeFrom + page;
    if ((made[bit >> 3] & (0x80 >> (bit & 7))) === 0) continue;
    const size = Math.min(walk.pageElements, count - done);
    await elements(walk, address + page * pageBytes, { skip: 0, from: from + done, count: size });
  }
}

interface Run {
  /** Bytes of the block before its elements. */
  readonly skip: number;
  readonly from: number;
  readonly count: number;
}

async function elements(walk: ArrayWalk, address: number, { skip, from, count }: Run): Promise<void> {
  const used = Math.max(0, Math.min(count, walk.count - from));
  const body = await walk.bytes.at(address, skip + used * walk.elementBytes);
  body.at = skip;
  readElements(walk, body, from, used);
}

function readElements(walk: ArrayWalk, cursor: Cursor, from: number, count: number): void {
  const sizeBytes = walk.elementBytes - walk.bytes.widths.offsetBytes - 4;
  for (let i = 0; i < count; i++) {
    const address = cursor.address();
    const size = walk.filtered ? cursor.uint(sizeBytes) : walk.chunkBytes;
    const mask = walk.filtered ? cursor.u32() : 0;
    if (address !== null) walk.take(from + i, address, size, mask);
  }
}

function checkElement(head: Cursor, elementBytes: number, chunks: ArrayChunks, offsetBytes: number): void {
  const least = offsetBytes + (chunks.filtered ? 5 : 0);
  const most = offsetBytes + (chunks.filtered ? 12 : 0);
  if (elementBytes < least || elementBytes > most) throw head.fault('invalid size of a chunk array');
}
