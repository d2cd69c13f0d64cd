import type { FileHandle } from 'node:fs/promises';
import { numberAt, structAt } from './footer.ts';
import { ThriftReader } from './thrift.ts';

/** A page of a column, as it lies in the file. */
export interface Page {
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
export async function walkPages(file: FileHandle): Promise<Page[]> {
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
export function packingOf(pages: readonly Page[]): number | null {
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
