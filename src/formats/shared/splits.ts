import type { JsonObject } from '#core';

const splitPatterns: readonly (readonly [RegExp, string])[] = [
  [/^train(ing)?(\d{4})?$/i, 'train'],
  [/^val(id|idation)?(\d{4})?$/i, 'validation'],
  [/^test(ing)?(\d{4})?$/i, 'test'],
];

/** Returns the split named by a folder of the path (`train`, `val2017` → `validation`, `test`); `null` if none does. */
export function splitFromPath(path: string): string | null {
  for (const part of path.split('/').slice(0, -1)) {
    const known = splitPatterns.find(([pattern]) => pattern.test(part));
    if (known !== undefined) return known[1];
  }
  return null;
}

/**
 * Returns the split of an episode from LeRobot ranges such as `{"train": "0:80", "test": "80:100"}`: the first range
 * that holds `index`; `null` if none does.
 */
export function splitFromRanges(ranges: JsonObject, index: number): string | null {
  for (const [name, range] of Object.entries(ranges)) {
    const [, from, to] = typeof range === 'string' ? (/^\s*(\d*)\s*:\s*(\d*)\s*$/.exec(range) ?? []) : [];
    if (to === undefined) continue;
    if (index >= Number(from || 0) && (to === '' || index < Number(to))) return name;
  }
  return null;
}

/**
 * Returns the split in a TFDS shard name (`bridge-train.tfrecord-00000-of-00001` → `train`); `null` for other names.
 */
export function splitFromShardName(path: string): string | null {
  return /-([A-Za-z0-9_]+)\.[a-z_]+-\d+-of-\d+(\.gz)?$/.exec(path)?.[1] ?? null;
}

const splitFolder = /^(train(ing)?|test(ing)?|eval|evaluation|val(id(ation)?)?|dev|holdout)$/i;
const containerFolder = /^(images?|imgs?|data|jpe?gimages|pictures|photos|frames|rgb)$/i;

/**
 * Returns a function from picture path to class name if each picture lies exactly one folder below the root or a split
 * folder, in at least two such folders; else `null`.
 *
 * Hugging Face's `imagefolder` infers the same classes. Folders such as `images` are no classes.
 */
export function inferFolderClasses(paths: readonly string[]): ((path: string) => string) | null {
  const names = new Set<string>();
  for (const path of paths) {
    const name = folderClass(path);
    if (name === null || containerFolder.test(name)) return null;
    names.add(name);
  }
  return names.size < 2 ? null : (path) => folderClass(path) ?? '';
}

/** True if a folder name is a split name (`train`, `val`, `test`, …). */
export function isSplitName(name: string): boolean {
  return splitFolder.test(name);
}

function folderClass(path: string): string | null {
  const folders = path.split('/').slice(0, -1);
  while (folders.length > 0 && splitFolder.test(folders[0])) folders.shift();
  return folders.length === 1 ? folders[0] : null;
}
