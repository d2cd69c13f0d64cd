import { asUnreadable } from '#core';
import type { ReadableFile } from '../byte-store.ts';
import type { SourceTree } from '../source-tree.ts';

/** Opens a file of a tree; what fails while it is read concerns that file, and the others stay as they are. */
export async function openWithFaultsNamed(tree: SourceTree, path: string): Promise<ReadableFile> {
  return withFaultsNamed(await tree.openFile(path), path);
}

/** The same file, whose faults while it is read are AssayErrors that name `path`. */
export function withFaultsNamed(file: ReadableFile, path: string): ReadableFile {
  return {
    read: (into, offset, length, position) =>
      file.read(into, offset, length, position).catch((thrown: unknown) => {
        throw asUnreadable(thrown, path, 'check the disk the file lies on');
      }),
    close: () => file.close(),
    [Symbol.asyncDispose]: () => file.close(),
  };
}
