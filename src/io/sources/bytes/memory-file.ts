import type { ReadableFile } from '../byte-store.ts';

/** Bytes in memory, read as a file is. */
export function fileOfBytes(bytes: Uint8Array): ReadableFile {
  return {
    read: async (into, offset, length, position) => {
      const part = bytes.subarray(position, position + length);
      into.set(part, offset);
      return { bytesRead: part.length, buffer: into };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
