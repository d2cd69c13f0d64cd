import type { JsonObject } from '#core';

const names: readonly (readonly [RegExp, string])[] = [
  [/^train(ing)?(\d{4})?$/i, 'train'],
  [/^val(id|idation)?(\d{4})?$/i, 'validation'],
  [/^test(ing)?(\d{4})?$/i, 'test'],
];

/** The split that a folder of a picture's path names (`train`, `val2017`, `test`); null where none does. */
export function splitOfPath(path: string): string | null {
  for (const part of path.split('/').slice(0, -1)) {
    const known = names.find(([pattern]) => pattern.test(part));
    if (known !== undefined) return known[1];
  }
  return null;
}

/** The split of an episode by ranges as LeRobot writes them: `{"train": "0:80", "test": "80:100"}`; the first that fits. */
export function splitOfIndex(splits: JsonObject, index: number): string | null {
  for (const [name, range] of Object.entries(splits)) {
    const [, from, to] = typeof range === 'string' ? (/^\s*(\d*)\s*:\s*(\d*)\s*$/.exec(range) ?? []) : [];
    if (to === undefined) continue;
    if (index >= Number(from || 0) && (to === '' || index < Number(to))) return name;
  }
  return null;
}

/** The split in a shard's name as TFDS writes it: `bridge-train.tfrecord-00000-of-00001`; null for other names. */
export function splitOfShard(path: string): string | null {
  return /-([A-Za-z0-9_]+)\.[a-z_]+-\d+-of-\d+(\.gz)?$/.exec(path)?.[1] ?? null;
}
