import { maskedCrc32c } from './crc32c.ts';
import type { RecordSource } from './record-source.ts';

/**
 * What stands at a place of a TFRecord file: u64 length, masked CRC-32C of the length, the data, masked CRC-32C of the
 * data, all little-endian.
 */
export type Frame =
  | { readonly kind: 'record'; readonly at: number; readonly length: number; readonly next: number }
  /** The length is damaged; the next sound one was looked for. */
  | { readonly kind: 'damaged'; readonly at: number; readonly next: number }
  /** The file ends within the record. */
  | { readonly kind: 'cut'; readonly at: number; readonly next: number };

export const headerBytes = 12;
export const footerBytes = 4;
const scanBytes = 256 * 1024;

/** The frame at `at`; null at the end of the file. */
export async function frameAt(source: RecordSource, at: number): Promise<Frame | null> {
  const head = await source.read(at, headerBytes);
  if (head.length === 0) return null;
  if (head.length < headerBytes) return { kind: 'cut', at, next: at + head.length };
  const length = lengthIn(head, 0);
  if (length === null) return { kind: 'damaged', at, next: await nextHeader(source, at + 1) };
  const next = at + headerBytes + length + footerBytes;
  if (source.size !== null && next > source.size) return { kind: 'cut', at, next: source.size };
  return { kind: 'record', at, length, next };
}

/** The length that a sound header at `offset` declares; null where its CRC does not fit. */
export function lengthIn(bytes: Uint8Array, at: number): number | null {
  // No record is as long as 2^40 bytes: most damage is seen without a CRC.
  if (at + headerBytes > bytes.length || (bytes[at + 5] | bytes[at + 6] | bytes[at + 7]) !== 0) return null;
  if (maskedCrc32c(bytes, at, at + 8) !== uint32(bytes, at + 8)) return null;
  return uint32(bytes, at) + bytes[at + 4] * 4294967296;
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Where the next sound header begins, or the end of the file. */
async function nextHeader(source: RecordSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const block = await source.read(at, scanBytes);
    for (let offset = 0; offset + headerBytes <= block.length; offset++) {
      // A record of no bytes is nobody's: ranges of zeros are passed over quickly.
      if (uint32(block, offset) === 0 && block[offset + 4] === 0) continue;
      if (lengthIn(block, offset) !== null) return at + offset;
    }
    if (block.length < scanBytes) return at + block.length;
    at += block.length - headerBytes + 1;
  }
}
