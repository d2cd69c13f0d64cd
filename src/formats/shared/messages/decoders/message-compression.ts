import { zstdDecompressSync } from 'node:zlib';

const maxMessageBytes = 128 * 1024 * 1024;

/** Returns a DataView of the bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** True if the bytes begin with the zstd magic number. */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/**
 * Decompresses a message that rosbag2 compressed with zstd; `null` if it is not compressed (a plain CDR message never
 * starts with the zstd magic number), damaged or above 128 MiB.
 */
export function decompressMessage(bytes: Uint8Array): Uint8Array | null {
  if (!isZstd(bytes)) return null;
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: maxMessageBytes });
  } catch {
    return null;
  }
}
