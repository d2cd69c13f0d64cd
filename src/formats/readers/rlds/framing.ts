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
export function lengthIn(bytes: Uint8Array, offset: number): number | null {
  if (offset + headerBytes > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, headerBytes);
  // No record is as long as 2^48 bytes: most damage is seen without a CRC.
  if (view.getUint16(6, true) !== 0) return null;
  if (maskedCrc32c(bytes, offset, offset + 8) !== view.getUint32(8, true)) return null;
  return view.getUint32(0, true) + view.getUint32(4, true) * 4294967296;
}

/** Where the next sound header begins, or the end of the file. */
async function nextHeader(source: RecordSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const block = await source.read(at, scanBytes);
    for (let offset = 0; offset + headerBytes <= block.length; offset++) {
      // Three zero bytes in front: records stay below 2^40 bytes.
      if (block[offset + 7] !== 0 || block[offset + 6] !== 0 || block[offset + 5] !== 0) continue;
      if (lengthIn(block, offset) !== null) return at + offset;
    }
    if (block.length < scanBytes) return at + block.length;
    at += block.length - headerBytes + 1;
  }
}
