import type { FileEntry, SourceTree } from '#io/sources';

/** One drive, as `sync` (rectified, all sensors at the pace of the cameras) or `extract` (as recorded). */
export interface Drive {
  /** Relative to the dataset's root; '' where that is the drive itself. */
  readonly folder: string;
  readonly kind: 'sync' | 'extract' | null;
  readonly files: readonly FileEntry[];
}

const driveFolder = /^\d{4}_\d\d_\d\d_drive_\d{4}_(sync|extract)$/;
/** What a drive holds. */
const sensorFile = /^(?:image_0\d|velodyne_points|oxts)\/(?:data\/|timestamps|dataformat\.txt)/;

/** The drive that a file belongs to, when the root is the folder of a day or a drive; null: to none. */
export function driveOf(path: string): string | null {
  if (sensorFile.test(path)) return '';
  const slash = path.indexOf('/');
  if (slash < 0) return null;
  const folder = path.slice(0, slash);
  return driveFolder.test(folder) && sensorFile.test(path.slice(slash + 1)) ? folder : null;
}

/** Drives below the folder of a day, in the order of their names. */
export function drivesOf(tree: SourceTree): Drive[] {
  const byFolder = new Map<string, FileEntry[]>();
  for (const file of tree.files) {
    const folder = driveOf(file.path) ?? labelledDrive(file.path);
    if (folder === null) continue;
    const own = byFolder.get(folder);
    if (own === undefined) byFolder.set(folder, [file]);
    else own.push(file);
  }
  return [...byFolder].map(([folder, files]) => ({ folder, kind: kindOf(folder), files }));
}

function labelledDrive(path: string): string | null {
  const found = /^(?:([^/]+)\/)?tracklet_labels\.xml$/.exec(path);
  if (found === null || (found[1] !== undefined && !driveFolder.test(found[1]))) return null;
  return found[1] ?? '';
}

function kindOf(folder: string): Drive['kind'] {
  const kind = driveFolder.exec(folder)?.[1];
  return kind === 'sync' || kind === 'extract' ? kind : null;
}

/** A file of a sensor, named by the number of its frame. */
export interface NumberedFile extends FileEntry {
  readonly number: number;
}

/** Files of `<folder>/data/` called `0000000012.<extension>`, by number. */
export function numberedFiles(drive: Drive, sensor: string, extension: RegExp): NumberedFile[] {
  const start = `${drive.folder === '' ? '' : `${drive.folder}/`}${sensor}/data/`;
  const found: NumberedFile[] = [];
  for (const { path, bytes } of drive.files) {
    if (!path.startsWith(start)) continue;
    const name = /^(\d{1,10})\.(\w+)$/.exec(path.slice(start.length));
    if (name !== null && extension.test(name[2])) found.push({ path, bytes, number: Number(name[1]) });
  }
  return found.sort((a, b) => a.number - b.number);
}

/** Path from the dataset's root of a file of a drive. */
export function inDrive({ folder }: Drive, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
