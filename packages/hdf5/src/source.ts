/** What a file is read from: a disk, a store behind ranges, memory. Node's `FileHandle` is one. */
export interface ByteRanges {
  /** Fills `into` from `offset` with up to `length` bytes from `position` on; 0 read: the end. */
  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** A file in memory, such as one that was downloaded or uploaded. */
export function bytesInMemory(bytes: Uint8Array): ByteRanges {
  return {
    read: async (into, offset, length, position) => {
      const part = bytes.subarray(position, position + length);
      into.set(part, offset);
      return { bytesRead: part.length };
    },
    close: async () => {},
  };
}
