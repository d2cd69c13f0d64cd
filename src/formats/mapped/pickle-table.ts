import type { SourceTree } from '#io/sources';
import { NpyArray } from '../shared/arrays/npy-array.ts';
import { parsePickle } from '../shared/arrays/parse-pickle.ts';
import type { RowArray } from '../shared/arrays/row-array.ts';
import type { ArraySource } from './array-table.ts';
import { namedValues, textArray } from './step-values.ts';
import { openSteps } from './steps.ts';

const maxFileBytes = 512 * 1024 * 1024;

/**
 * Opens a pickle as arrays, executing nothing: a dictionary of arrays, named by dotted paths, or a list of dictionaries
 * of which each is a row; throws `unreadable_input` for others. Also throws `limit_exceeded` above 512 MiB.
 */
export async function openPickle(tree: SourceTree, path: string): Promise<ArraySource> {
  const value = parsePickle(await tree.read(path, maxFileBytes), path);
  const bytes = tree.entry(path)?.bytes ?? 0;
  if (Array.isArray(value) && value.every((item) => item instanceof Map)) {
    const labels = value.map((_, row) => `${path}[${row}]`);
    return openSteps({ labels, read: async (step) => namedValues(value[step], labels[step]) }, path, bytes);
  }
  const { values, unread } = namedValues(value, path);
  const arrays = new Map<string, RowArray>();
  for (const [name, item] of values) {
    if (item instanceof NpyArray) arrays.set(name, item);
    else if (typeof item === 'string') arrays.set(name, textArray(item, name));
  }
  return { path, bytes, arrays, unread, findings: [], close: async () => {} };
}
