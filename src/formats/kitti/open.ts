import { countPhrase } from '#core';
import {
  type Calibration,
  type Episode,
  type Event,
  type Finding,
  type Stream,
  timesOf,
  unknownOutcome,
} from '#core/episode';
import {
  createFileHasher,
  type FileHasher,
  type HashScope,
  hashScope,
  type SourceTree,
  sourceRefs,
  type UsedFile,
} from '#io/sources';
import type { Dataset, ReadOptions, Recognition, WorkUnit } from '../shared/reader.ts';
import { readCalibration } from './calibration.ts';
import {
  type Drive,
  drivePath,
  findDrives,
  type NumberedFile,
  numberedFiles,
  readTimestamps,
  secondsSince,
  type Timestamps,
} from './layout.ts';
import { loadingFindings, scanFindings } from './loading-findings.ts';
import {
  cameraStream,
  lidarStreams,
  oxtsFields,
  oxtsStreams,
  pairFrames,
  parseFormatNames,
  readOxts,
  type ScanTimes,
  type SensorFrames,
  splitScans,
  type TimeOrigin,
} from './streams.ts';

/**
 * Opens a KITTI raw folder as a dataset with one work unit per drive, all with the calibration of the day; calibration
 * faults and files of no drive become findings.
 */
export async function openKitti(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const drives = findDrives(tree);
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
    findings: [...day.findings, ...unreadFindings(tree, drives)],
    units: drives.map(toWorkUnit),
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

/** Returns true for images and scans, which stay in their files. */
const isLarge = (path: string): boolean => /\.(?:png|jpe?g|bin)$/i.test(path);

function toWorkUnit({ folder, files }: Drive, index: number): WorkUnit {
  const sum = (group: Drive['files']) => group.reduce((bytes, file) => bytes + file.bytes, 0);
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

function unreadFindings(tree: SourceTree, drives: readonly Drive[]): Finding[] {
  const read = new Set(drives.flatMap(({ files }) => files.map(({ path }) => path)));
  const unread = tree.files.filter(({ path }) => !read.has(path) && !/^calib_\w+\.txt$/.test(path));
  if (unread.length === 0) return [];
  const listed = unread.slice(0, 3).map(({ path }) => path);
  return [
    {
      code: 'files_not_read',
      severity: 'info',
      path: null,
      message: `${countPhrase(unread.length, 'files are')} not part of a drive and not read (${listed.join(', ')}${unread.length > 3 ? ', …' : ''})`,
      advice:
        'nothing to do, unless they belong to a drive: drive folders have names like 2011_09_26_drive_0001_sync',
    },
  ];
}

interface DriveContext {
  readonly index: number;
  readonly calibrations: readonly Calibration[];
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
}

const cameras = ['image_00', 'image_01', 'image_02', 'image_03'] as const;

/** Reads one drive as an episode. */
async function readDrive(tree: SourceTree, drive: Drive, context: DriveContext): Promise<Episode> {
  const findings: Finding[] = [];
  const frames = async (sensor: string, files: readonly NumberedFile[]): Promise<SensorFrames> => {
    const times = await readTimestamps(tree, drivePath(drive, `${sensor}/timestamps.txt`));
    const paired = pairFrames(sensor, files, times);
    findings.push(...paired.findings);
    return paired;
  };
  const cameraFrames: SensorFrames[] = [];
  for (const camera of cameras) {
    const paired = await frames(camera, numberedFiles(drive, camera, /^(png|jpe?g)$/i));
    if (paired.times !== null || paired.files.length > 0) cameraFrames.push(paired);
  }
  const { valid: validScans, invalid: invalidScans } = splitScans(drive);
  const lidar = await frames('velodyne_points', validScans);
  findings.push(...scanFindings(invalidScans, validScans.length + invalidScans.length));
  const scanTimes = await readScanTimes(tree, drive);
  const oxts = await frames('oxts', numberedFiles(drive, 'oxts', /^txt$/i));
  const packets = await readOxts(tree, oxts.files);
  findings.push(...packets.findings, ...(await formatFindings(tree, drive)));
  findings.push(...(await loadingFindings(tree, drive)));
  const origin = computeOrigin([...cameraFrames, lidar, oxts].map(({ times }) => times));
  const streams = [
    ...cameraFrames.map((camera) => cameraStream(camera, drive, context.calibrations, origin)),
    ...(lidar.files.length === 0 ? [] : lidarStreams(lidar, scanTimes, origin)),
    ...(oxts.files.length === 0 ? [] : oxtsStreams(oxts, packets, origin)),
  ];
  const labels = drivePath(drive, 'tracklet_labels.xml');
  const used = filesUsed(tree, drive, { pictures: cameraFrames, lidar, oxts, labels });
  return {
    id: drive.folder === '' ? 'drive' : drive.folder,
    index: context.index,
    locator: { format: 'kitti-raw', path: used[0]?.path ?? drive.folder },
    sources: await sourceRefs(tree, used, context.hasher, context.hashes),
    // Local times without a time zone cannot be converted to UTC.
    start_ns: null,
    duration_s: computeDuration(streams),
    streams,
    events: await readEvents(tree, labels, cameraFrames, origin),
    tasks: null,
    outcome: unknownOutcome,
    robot: 'Volkswagen Passat',
    calibrations: context.calibrations,
    grippers: [],
    labels: null,
    findings,
  };
}

async function readScanTimes(tree: SourceTree, drive: Drive): Promise<ScanTimes> {
  const read = (name: string) => readTimestamps(tree, drivePath(drive, `velodyne_points/${name}.txt`));
  return { start: await read('timestamps_start'), end: await read('timestamps_end') };
}

async function readEvents(
  tree: SourceTree,
  labels: string,
  cameraFrames: readonly SensorFrames[],
  origin: TimeOrigin,
): Promise<Event[]> {
  const times = cameraFrames.find((camera) => camera.times !== null)?.times ?? null;
  if (!tree.has(labels) || times === null) return [];
  return trackletEvents(tree, labels, (frame) => {
    const [time_s] = secondsSince(times, [frame], origin);
    return Number.isFinite(time_s) ? time_s : null;
  });
}

function computeOrigin(all: readonly (Timestamps | null)[]): TimeOrigin {
  let origin: TimeOrigin | null = null;
  for (const times of all) {
    if (times === null) continue;
    for (let i = 0; i < times.whole_s.length; i++) {
      const [whole_s, fraction_s] = [times.whole_s[i], times.fraction_s[i]];
      if (Number.isNaN(whole_s)) continue;
      if (origin === null || whole_s - origin.whole_s + (fraction_s - origin.fraction_s) < 0)
        origin = { whole_s, fraction_s };
    }
  }
  return origin ?? { whole_s: 0, fraction_s: 0 };
}

function computeDuration(streams: readonly Stream[]): number {
  let last_s = 0;
  for (const stream of streams) {
    const end_s = timesOf(stream)?.at(-1);
    if (end_s !== undefined && end_s > last_s) last_s = end_s;
  }
  return last_s;
}

interface UsedSensors {
  readonly pictures: readonly SensorFrames[];
  readonly lidar: SensorFrames;
  readonly oxts: SensorFrames;
  readonly labels: string;
}

function filesUsed(
  tree: SourceTree,
  drive: Drive,
  { pictures, lidar, oxts, labels }: UsedSensors,
): UsedFile[] {
  const metadata = [
    ...[...cameras, 'velodyne_points', 'oxts'].map((sensor) => drivePath(drive, `${sensor}/timestamps.txt`)),
    drivePath(drive, 'velodyne_points/timestamps_start.txt'),
    drivePath(drive, 'velodyne_points/timestamps_end.txt'),
    'calib_cam_to_cam.txt',
    'calib_velo_to_cam.txt',
    'calib_imu_to_velo.txt',
  ].filter((path) => tree.has(path));
  return [
    ...metadata.map((path) => ({ path, role: 'metadata' as const })),
    ...pictures.flatMap(({ files }) => files.map(({ path }) => ({ path, role: 'image' as const }))),
    ...[lidar, oxts].flatMap(({ files }) => files.map(({ path }) => ({ path, role: 'data' as const }))),
    ...(tree.has(labels) ? [{ path: labels, role: 'annotation' as const }] : []),
  ];
}

/** Reports a dataformat.txt with other fields or another order, since numbers are named by position. */
async function formatFindings(tree: SourceTree, drive: Drive): Promise<Finding[]> {
  const path = drivePath(drive, 'oxts/dataformat.txt');
  if (!tree.has(path)) return [];
  const names = parseFormatNames(await tree.text(path, 64 * 1024));
  if (names.join() === oxtsFields.join()) return [];
  return [
    {
      code: 'oxts_format_differs',
      severity: 'warning',
      path,
      message: `${path} lists different fields than the standard KITTI format; the values are named as in the standard format`,
      advice: 'check the order of the fields before relying on the names',
    },
  ];
}

/** A labelled object that is tracked through a drive. */
interface Tracklet {
  readonly category: string;
  /** Frame number of its first pose. */
  readonly first_frame: number;
}

const maxTrackletBytes = 64 * 1024 * 1024;
/** Boost writes objectType and first_frame of a tracklet in this order, each in a tag of its own. */
const trackletTag = /<(objectType|first_frame)>([^<]{0,64})</g;

async function readTracklets(tree: SourceTree, path: string): Promise<Tracklet[]> {
  const tracklets: Tracklet[] = [];
  let category: string | null = null;
  for (const [, name, text] of (await tree.text(path, maxTrackletBytes)).matchAll(trackletTag)) {
    if (name === 'objectType') category = text.trim();
    else if (category !== null && Number.isSafeInteger(Number(text))) {
      tracklets.push({ category, first_frame: Number(text) });
      category = null;
    }
  }
  return tracklets;
}

/**
 * Returns an event at the first frame of each labelled object, sorted by time.
 * @param frameTime returns the time of a frame in seconds, or `null` if it has none
 */
async function trackletEvents(
  tree: SourceTree,
  path: string,
  frameTime: (frame: number) => number | null,
): Promise<Event[]> {
  const events: Event[] = [];
  for (const { category, first_frame } of await readTracklets(tree, path)) {
    const time_s = frameTime(first_frame);
    if (time_s !== null) events.push({ time_s, label: category, source: path });
  }
  return events.sort((a, b) => a.time_s - b.time_s);
}
