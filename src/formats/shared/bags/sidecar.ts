import type { SourceTree } from '#io/sources';
import { folderOf } from '../divide-folders.ts';

/** Of a ROS 2 bag: the file beside its recordings that describes them. */
export const sidecarName = 'metadata.yaml';

export function isSidecar(path: string): boolean {
  return baseName(path) === sidecarName;
}

export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The name a recording has when it is not compressed as a whole. */
export function uncompressedName(path: string): string {
  return path.replace(/\.(zstd|zst)$/i, '');
}

/** Files that may not be read beside the metadata.yaml of a bag: parts of it, by their names. */
export function closedParts(tree: SourceTree, sidecars: readonly string[], promised: RegExp): string[] {
  const bags = new Set(sidecars.filter((path) => tree.has(path)).map(folderOf));
  return tree.files.flatMap(({ path, closed }) =>
    closed === true && promised.test(path) && bags.has(folderOf(path)) ? [path] : [],
  );
}
