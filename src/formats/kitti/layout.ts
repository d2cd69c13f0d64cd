import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { formatRanges } from '../shared/numbers.ts';

/** One drive: `sync` (rectified, sensors synchronised with the cameras) or `extract` (as recorded). */
export interface Drive {
  /** Path relative to the dataset's root; '' if the root is the drive itself. */
  readonly folder: string;
  readonly kind: 'sync' | 'extract' | null;
  readonly files: readonly FileEntry[];
}

const driveFolder = /^\d{4}_\d\d_\d\d_drive_\d{4}_(sync|extract)$/;
/** Path of a sensor file inside a drive. */
const sensorFile = /^(?:image_0\d|velodyne_points|oxts)\/(?:data\/|timestamps|dataformat\.txt)/;

/**
 * Returns the folder of the drive that a file belongs to ('' for the root), or `null` if it belongs to none. The root
 * may be the folder of a day or a drive.
 */
export function driveFolderOf(path: string): string | null {
  if (sensorFile.test(path)) return '';
  const slash = path.indexOf('/');
  if (slash < 0) return null;
  const folder = path.slice(0, slash);
  return driveFolder.test(folder) && sensorFile.test(path.slice(slash + 1)) ? folder : null;
}

/**
 * Finds the drives below the folder of a day, or the root if it is a drive, in the order in which the tree lists them;
 * files of no drive are left out.
 */
export function findDrives(tree: SourceTree): Drive[] {
  const byFolder = new Map<string, FileEntry[]>();
  for (const file of tree.files) {
    const folder = driveFolderOf(file.path) ?? labelledDriveFolder(file.path);
    if (folder === null) continue;
    const driveFiles = byFolder.get(folder);
    if (driveFiles === undefined) byFolder.set(folder, [file]);
    else driveFiles.push(file);
  }
  return [...byFolder].map(([folder, files]) => ({ folder, kind: driveKind(folder), files }));
}

function labelledDriveFolder(path: string): string | null {
  const found = /^(?:([^/]+)\/)?tracklet_labels\.xml$/.exec(path);
  if (found === null || (found[1] !== undefined && !driveFolder.test(found[1]))) return null;
  return found[1] ?? '';
}

function driveKind(folder: string): Drive['kind'] {
  const kind = driveFolder.exec(folder)?.[1];
  return kind === 'sync' || kind === 'extract' ? kind : null;
}

/** A sensor file and its frame number, taken from the file name. */
export interface NumberedFile extends FileEntry {
  readonly number: number;
}

/** Returns the files `<sensor>/data/0000000012.<extension>` of a drive, sorted by number. */
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

/** Returns the path, relative to the dataset's root, of a file of a drive. */
export function drivePath({ folder }: Drive, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/**
 * Times of a sensor by frame number, split to keep nanoseconds: whole seconds of the local calendar and the fraction.
 */
export interface Timestamps {
  readonly path: string;
  /** NaN for lines that are empty or hold no time. */
  readonly whole_s: Float64Array;
  readonly fraction_s: Float64Array;
  readonly findings: readonly Finding[];
}

const maxTimestampBytes = 256 * 1024 * 1024;
const kittiTime = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/;

/** Returns true if one of the first 64 lines is a time in KITTI's format. */
export function startsWithTime(text: string): boolean {
  return text.split('\n', 64).some((line) => kittiTime.test(line.trim()));
}

/**
 * Reads the times of a timestamps file by line, which is the frame number, with NaN and findings for empty and invalid
 * lines; `null` if the file does not exist. Empty lines stand for missing frames.
 */
export async function readTimestamps(tree: SourceTree, path: string): Promise<Timestamps | null> {
  if (!tree.has(path)) return null;
  const lines = (await tree.text(path, maxTimestampBytes)).split('\n');
  while (lines.length > 0 && lines[lines.length - 1].trim() === '') lines.pop();
  const whole_s = new Float64Array(lines.length).fill(Number.NaN);
  const fraction_s = new Float64Array(lines.length);
  const empty: number[] = [];
  const invalid: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].trim();
    const time = kittiTime.exec(line);
    if (time === null) (line === '' ? empty : invalid).push(i);
    else {
      const [year, month, day, hour, minute, second] = time.slice(1, 7).map(Number);
      whole_s[i] = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
      fraction_s[i] = time[7] === undefined ? 0 : Number(`0.${time[7]}`);
    }
  }
  return {
    path,
    whole_s,
    fraction_s,
    findings: [...emptyFinding(path, empty), ...invalidFinding(path, invalid)],
  };
}

/** Returns the times of frames in seconds since `origin`; NaN for frames without a time. */
export function secondsSince(
  { whole_s, fraction_s }: Timestamps,
  frames: readonly number[],
  origin: { readonly whole_s: number; readonly fraction_s: number },
): Float64Array {
  return Float64Array.from(
    frames,
    (frame) => whole_s[frame] - origin.whole_s + (fraction_s[frame] - origin.fraction_s),
  );
}

function emptyFinding(path: string, lines: readonly number[]): Finding[] {
  if (lines.length === 0) return [];
  return [
    {
      code: 'timestamps_empty_lines',
      severity: 'warning',
      path,
      message: `${path} has ${lines.length} empty lines: frames ${formatRanges(lines)} have no timestamp`,
      advice: 'pair frames with timestamps by line number; skipping empty lines shifts all later frames',
      evidence: { lines: lines.length },
    },
  ];
}

function invalidFinding(path: string, lines: readonly number[]): Finding[] {
  if (lines.length === 0) return [];
  return [
    {
      code: 'timestamps_unreadable',
      severity: 'error',
      path,
      message: `${path} has ${lines.length} invalid timestamps: frames ${formatRanges(lines)}`,
      advice: 'restore the file from its source; timestamps look like 2011-09-26 13:02:25.964389445',
      evidence: { lines: lines.length },
    },
  ];
}
