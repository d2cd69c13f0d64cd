import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A block as it was, at most: more is no entry of ours. */
const mostBytes = 1 << 30;
const digestBytes = 32;

/** Changes with the layout of entries. */
const headerOf = (key: string): Buffer => Buffer.from(`assay measured 1 ${key}\n`);

export function packBlock(bytes: Uint8Array): Buffer {
  const packed = zstdCompressSync(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packed.length);
  return Buffer.concat([length, packed]);
}

/** An entry as it lies on disk: whose it is, its blocks, and a hash of all that. */
export function entryOf(key: string, blocks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([headerOf(key), ...blocks]);
  return Buffer.concat([body, hashOf(body)]);
}

/** The blocks of an entry, unpacked one at a time; null where this is not the entry of `key` whole and unchanged. */
export function blocksOf(key: string, entry: Buffer): Iterable<Buffer> | null {
  const header = headerOf(key);
  const end = entry.length - digestBytes;
  if (end < header.length || !entry.subarray(0, header.length).equals(header)) return null;
  if (!hashOf(entry.subarray(0, end)).equals(entry.subarray(end))) return null;
  return unpacked(entry.subarray(header.length, end));
}

function* unpacked(blocks: Buffer): Generator<Buffer> {
  for (let at = 0; at < blocks.length; ) {
    const from = at + 4;
    at = from + blocks.readUInt32LE(at);
    yield zstdDecompressSync(blocks.subarray(from, at), { maxOutputLength: mostBytes });
  }
}

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
