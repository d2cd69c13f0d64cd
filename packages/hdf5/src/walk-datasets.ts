import { Hdf5Dataset } from './dataset.ts';
import { isFileError } from './errors.ts';
import { Hdf5Group } from './structure/group.ts';

/** What a walk meets: a dataset, or a name that leads to nothing that is read, with the reason. */
export type Met =
  | { readonly kind: 'dataset'; readonly dataset: Hdf5Dataset }
  | { readonly kind: 'unread'; readonly path: string; readonly error: Error }
  | { readonly kind: 'external'; readonly path: string; readonly file: string };

interface WalkBounds {
  /** Names looked at; a walk ends there without a word, so ask for more than you need. */
  readonly names: number;
  readonly depth: number;
}

/**
 * Every dataset below a group, parents before children, in the order of storage. A group that several names lead to is
 * walked once, so that circles end.
 */
export async function* walkDatasets(top: Hdf5Group, bounds: WalkBounds): AsyncGenerator<Met> {
  const seen = new Set([top.address]);
  let pending: { group: Hdf5Group; depth: number }[] = [{ group: top, depth: 0 }];
  let names = 0;
  while (pending.length > 0) {
    const next: typeof pending = [];
    for (const { group, depth } of pending) {
      const links = await attempt(() => group.links());
      if (links instanceof Error) {
        yield { kind: 'unread', path: group.path, error: links };
        continue;
      }
      for (const [name, link] of links) {
        if (++names > bounds.names) return;
        const path = `${group.path === '/' ? '' : group.path}/${name}`;
        if (link.kind === 'external') {
          yield { kind: 'external', path, file: link.file };
          continue;
        }
        if (link.kind !== 'hard') continue;
        const object = await attempt(() => group.open(name));
        if (object instanceof Error) yield { kind: 'unread', path, error: object };
        else if (object instanceof Hdf5Dataset) yield { kind: 'dataset', dataset: object };
        else if (object instanceof Hdf5Group && depth < bounds.depth && !seen.has(object.address)) {
          seen.add(object.address);
          next.push({ group: object, depth: depth + 1 });
        }
      }
    }
    pending = next;
  }
}

async function attempt<T>(read: () => Promise<T>): Promise<T | Error> {
  try {
    return await read();
  } catch (thrown) {
    if (isFileError(thrown)) return thrown;
    throw thrown;
  }
}
