import { zstdDecompressSync } from 'node:zlib';

const maxMessageBytes = 128 * 1024 * 1024;

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** rosbag2 can compress message by message; a plain CDR message never starts with zstd's magic number. */
export function inflatedMessage(bytes: Uint8Array): Uint8Array | null {
  if (!isZstd(bytes)) return null;
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: maxMessageBytes });
  } catch {
    return null;
  }
}
