import { type Hdf5Dataset, type Hdf5Group, walkDatasets } from '@assay/hdf5';
import { AssayError, asUnreadable } from '#core';

/** Arrays looked at in one episode, and groups they may lie below one another. */
const bounds = { names: 10_000, depth: 12 };

/** The arrays below a group, and those that lie in other files or cannot be read. */
export interface FileArrays {
  /** By path from the group: `observations/qpos`. */
  readonly arrays: ReadonlyMap<string, Hdf5Dataset>;
  readonly unread: ReadonlyMap<string, AssayError>;
}

export async function arraysBelow(group: Hdf5Group, path: string): Promise<FileArrays> {
  const arrays = new Map<string, Hdf5Dataset>();
  const unread = new Map<string, AssayError>();
  const start = group.path === '/' ? 1 : group.path.length + 1;
  for await (const met of walkDatasets(group, bounds)) {
    if (met.kind === 'dataset') arrays.set(met.dataset.path.slice(start), met.dataset);
    else if (met.kind === 'unread') unread.set(met.path.slice(start), asUnreadable(met.error, path));
    else unread.set(met.path.slice(start), outside(met.path, met.file, path));
  }
  return { arrays, unread };
}

function outside(name: string, file: string, path: string): AssayError {
  return new AssayError(
    'unreadable_input',
    `it is a link into another file (${file}), which is never followed`,
    {
      ...{ path, place: name, advice: 'put the data into the file itself with h5repack or h5copy' },
    },
  );
}

/** Steps by the array that counts them, against every other: numbers of arrays that are longer or shorter. */
export function unevenArrays(
  arrays: Iterable<readonly [string, Hdf5Dataset]>,
  steps: number,
): [string, number][] {
  return [...arrays].flatMap(([id, { rows }]) => (rows === steps ? [] : [[id, rows] as [string, number]]));
}
