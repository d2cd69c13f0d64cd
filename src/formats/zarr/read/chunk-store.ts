import type { SourceTree } from '#io/sources';

/** Files of a zarr hierarchy by key, whether they lie in a folder or in a zip. */
export interface ChunkStore {
  /** The stored bytes of a key; null where there is none. Throws RangeError for what is damaged or larger than allowed. */
  get(key: string, mostBytes: number): Promise<Uint8Array | null>;
  has(key: string): boolean;
  /** Stored bytes of a key; 0 where there is none. */
  size(key: string): number;
  /** Names of the keys below a folder (without a `/` at its end), relative to it. */
  keysBelow(folder: string): Iterable<string>;
  /** The file of the recording that holds a key. */
  fileOf(key: string): string;
  close(): Promise<void>;
}

/** A hierarchy in a folder; `prefix` ends with `/` or is empty. */
export function folderStore(tree: SourceTree, prefix: string): ChunkStore {
  const size = (key: string) => tree.entry(prefix + key)?.bytes ?? 0;
  return {
    has: (key) => tree.has(prefix + key),
    size,
    fileOf: (key) => prefix + key,
    get: async (key, mostBytes) => {
      if (!tree.has(prefix + key)) return null;
      if (size(key) > mostBytes)
        throw new RangeError(`it has ${size(key)} bytes, at most ${mostBytes} belong`);
      return tree.read(prefix + key, mostBytes);
    },
    keysBelow: (folder) => tree.below(`${prefix}${folder}`).files.map(({ path }) => path),
    close: async () => {},
  };
}
