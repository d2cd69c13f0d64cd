import { counted } from '#core';
import type { Episode, Finding } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, WorkUnit } from '../shared/reader.ts';
import { readCalibration } from './calibration.ts';
import { type Drive, drivesOf } from './layout.ts';
import { readDrive } from './read-drive.ts';

/** A drive a work unit. */
export async function openKitti(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const drives = drivesOf(tree);
  const day = await readCalibration(tree);
  return {
    facts: {
      format: 'kitti-raw',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition,
    findings: [...day.findings, ...unreadFinding(tree, drives)],
    units: drives.map(unitOf),
    read: (unit, options) => readUnit(unit, options),
    close: async () => {},
  };

  async function* readUnit(unit: WorkUnit, options: ReadOptions): AsyncGenerator<Episode> {
    options.signal?.throwIfAborted();
    const drive = drives[unit.first_index];
    const hasher = createFileHasher(tree);
    const calibrations = day.calibrations;
    yield await readDrive(tree, drive, {
      index: unit.first_index,
      calibrations,
      hasher,
      hashes: hashScope(options),
    });
    options.onBytes?.(unit.bytes);
  }
}

/** Pictures and scans, which stay in their files. */
const isLarge = (path: string): boolean => /\.(?:png|jpe?g|bin)$/i.test(path);

function unitOf({ folder, files }: Drive, index: number): WorkUnit {
  const sum = (some: Drive['files']) => some.reduce((bytes, file) => bytes + file.bytes, 0);
  const id = folder === '' ? 'drive' : folder;
  return {
    id,
    expected_episodes: 1,
    first_index: index,
    bytes: sum(files),
    look_bytes: sum(files.filter(({ path }) => !isLarge(path))),
    selector: null,
  };
}

function unreadFinding(tree: SourceTree, drives: readonly Drive[]): Finding[] {
  const read = new Set(drives.flatMap(({ files }) => files.map(({ path }) => path)));
  const left = tree.files.filter(({ path }) => !read.has(path) && !/^calib_\w+\.txt$/.test(path));
  if (left.length === 0) return [];
  const named = left.slice(0, 3).map(({ path }) => path);
  return [
    {
      code: 'files_not_read',
      severity: 'info',
      path: null,
      message: `${counted(left.length, 'files are')} no part of a drive and not read (${named.join(', ')}${left.length > 3 ? ', …' : ''})`,
      advice: 'nothing to do, unless they hold drives: these are called 2011_09_26_drive_0001_sync',
    },
  ];
}
