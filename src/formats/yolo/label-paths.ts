import type { SourceTree } from '#io/sources';

/** Where the labels of a picture may lie, as Ultralytics looks for them: the last `images` of its path is `labels`. */
function labelPaths(picture: string): string[] {
  const stem = picture.replace(/\.[^./]+$/, '');
  const swapped = `/${stem}`.replace(/^(.*)\/images\//i, '$1/labels/').slice(1);
  return swapped === stem ? [`${stem}.txt`] : [`${swapped}.txt`, `${stem}.txt`];
}

/** The label file of a picture; null where it has none. */
export function labelFileOf(tree: SourceTree, picture: string): string | null {
  return labelPaths(picture).find((path) => tree.has(path)) ?? null;
}

/** A line of labels: a class and at least four numbers. */
export const labelLine = /^\s*\d+(?:\.0*)?(?:\s+[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?){4,}\s*$/i;
