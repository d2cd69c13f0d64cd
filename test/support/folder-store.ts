import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteStore, openSourceTree } from '#io/sources';

/** A folder behind the door that recordings in a store come through: read by ranges, or by name while held. */
export function folderStore(folder: string): ByteStore {
  const at = (path: string) => join(folder, path);
  const held = { absolute: at, release: async () => {} };
  return {
    label: folder,
    root: folder,
    list: async () => {
      const { files, findings } = await openSourceTree(folder);
      return { files, findings, single: false };
    },
    open: (path) => open(at(path), 'r'),
    read: (path) => readFile(at(path)),
    acquire: async () => held,
    acquireTail: async () => held,
    acquirePartial: async () => null,
    sha256: async (path) =>
      createHash('sha256')
        .update(await readFile(at(path)))
        .digest('hex'),
    faults: 0,
    last_fault: null,
    retain: () => {},
    close: async () => {},
  };
}
