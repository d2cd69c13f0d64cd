import { type Hdf5File, type Hdf5Group, startsAsHdf5 } from '@assay/hdf5';
import { AssayError, isLfsPointer, lfsPointerWords } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { isNpy } from '../shared/arrays/npy-header.ts';
import { isPickle } from '../shared/arrays/parse-pickle.ts';
import { listArrays } from '../shared/arrays/step-arrays.ts';
import { startsAsZip } from '../shared/arrays/zip-directory.ts';
import { isHdf5, nullIfUnreadable } from '../shared/hdf5-file.ts';
import { type ArraySource, arrayTable, unreadableFinding } from './array-table.ts';
import { openCsv } from './csv-table.ts';
import { openJsonTable } from './json-table.ts';
import type { Mapping } from './mapping.ts';
import { openNpyFolder, openNpzTable } from './numpy-table.ts';
import { openParquet } from './parquet-table.ts';
import { openPickle } from './pickle-table.ts';
import { SharedHdf5Files } from './shared-hdf5.ts';
import { openStepFiles } from './steps.ts';
import type { Table } from './table.ts';
import { isZarrFolder, openZarrTable } from './zarr-table.ts';

/** Location of a table: a file, a group of an HDF5 or NPZ file, a zarr or a group of it, or a folder of NPY files or of steps. */
export interface TableLocation {
  /** File or folder; `.` is the top folder. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Path of the group; `null` for the whole file. */
  readonly group: string | null;
  /** Pattern of the files of a folder that are one step each; `null` if there are none. */
  readonly steps: string | null;
}

const pickleName = /\.(pkl|pickle)$/i;
const npzName = /\.npz$/i;
const hdf5Name = /\.(h5|hdf5|hdf|he5|h5py)$/i;
/** A list or object, behind a byte order mark in Latin-1. */
const jsonStart = /^(\xef\xbb\xbf)?\s*[[{]/;
const headBytes = 64;

/** Returns the folder that paths in a table are relative to, with a slash at its end; `''` for the top folder. */
export function folderOfTable({ path, kind }: TableLocation): string {
  if (kind === 'folder') return path === '.' ? '' : `${path}/`;
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/**
 * Opens a table as Parquet, HDF5, NPZ, pickle or JSON if its first bytes are those of one, else as CSV; a folder as a
 * zarr, by its NPY files or its files of one step each.
 * @param hdf5 keeps HDF5 files open between tables; `null` to close them with the table
 * @throws AssayError `unreadable_input` or `limit_exceeded`
 */
export async function openTable(
  tree: SourceTree,
  { path, kind, group, steps }: TableLocation,
  { csv, rows }: Pick<Mapping, 'csv' | 'rows'>,
  hdf5: SharedHdf5Files | null = null,
): Promise<Table> {
  if (steps !== null) return arrayTable(await openStepFiles(tree, path, steps));
  if (kind === 'folder')
    return isZarrFolder(tree, path) ? openZarrTable(tree, path, group) : openNpyFolder(tree, path);
  const head = await tree.head(path, headBytes);
  if (isLfsPointer(head))
    throw new AssayError('unreadable_input', `${path} ${lfsPointerWords.what}`, {
      path,
      advice: lfsPointerWords.advice,
    });
  if (startsAsHdf5(head) || (hdf5Name.test(path) && (await isHdf5(tree, path))))
    return openHdf5Table(tree, { path, group }, hdf5);
  if (startsAsZip(head) || npzName.test(path)) return openNpzTable(tree, path, group);
  if (isPickle(head) || pickleName.test(path)) return arrayTable(await openPickle(tree, path));
  if (isNpy(head))
    throw new AssayError('unreadable_input', `${path} is a single array, not a table`, {
      path,
      advice:
        'set episodes.folders to the folders whose .npy files belong together, or episodes.folder to one',
    });
  if (group !== null || hdf5Name.test(path))
    throw new AssayError('unreadable_input', `${path} is not an HDF5 file`, {
      path,
      advice: 'copy the file again, or correct episodes in the mapping',
    });
  const start = Buffer.from(head).toString('latin1');
  if (rows !== undefined || (csv === undefined && jsonStart.test(start)))
    return openJsonTable(tree, path, rows ?? null);
  return start.startsWith('PAR1') ? openParquet(tree, path) : openCsv(tree, path, csv);
}

const maxListedUnread = 20;

/**
 * Opens an HDF5 file as a table: its arrays with one row per sample are the columns, named by their paths below
 * `group` (the whole file if it is `null`).
 * @param shared keeps the file open for the next table; `null` to close it with the table
 * @throws AssayError `unreadable_input` if the file is damaged or has no such group
 */
async function openHdf5Table(
  tree: SourceTree,
  { path, group }: { readonly path: string; readonly group: string | null },
  shared: SharedHdf5Files | null,
): Promise<Table> {
  const files = shared ?? new SharedHdf5Files(tree);
  const { file, top, release } = await files.open(path, group);
  const close = async () => {
    await release();
    if (shared === null) await files.close();
  };
  try {
    if (top === null)
      throw new AssayError('unreadable_input', `${path} has no group ${group}`, {
        path,
        place: group ?? '/',
        advice: 'correct episodes.group in the mapping',
      });
    const { arrays, unread } = await listArrays(top, path);
    const findings: Finding[] = [
      ...file.findings,
      ...[...unread].slice(0, maxListedUnread).map(([name, error]) => unreadableFinding(path, name, error)),
    ];
    const bytes = tree.entry(path)?.bytes ?? 0;
    return arrayTable({
      ...{ path, bytes, arrays, unread: new Map(), findings },
      attributes: readAttributes(file, top),
      close,
    });
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Returns the attributes of a group (`@name`) and of the file (`/@name`), and by path those of other objects. */
function readAttributes(file: Hdf5File, top: Hdf5Group): NonNullable<ArraySource['attributes']> {
  return {
    async names() {
      const groups: [string, Hdf5Group][] = [['', top]];
      if (top.path !== '/') groups.push(['/', file.root]);
      const paths: string[] = [];
      for (const [prefix, group] of groups)
        for (const name of (await nullIfUnreadable(group.attributes.names())) ?? [])
          paths.push(`${prefix}@${name}`);
      return paths;
    },
    async get(path) {
      const at = path.lastIndexOf('@');
      const owner = at === 0 ? top : await nullIfUnreadable(top.open(path.slice(0, at)));
      if (owner === null || owner.kind === 'datatype') return null;
      return (await nullIfUnreadable(owner.attributes.get(path.slice(at + 1)))) ?? null;
    },
  };
}
