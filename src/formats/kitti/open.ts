import { counted } from '#core';
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
import { type Drive, drivesOf, inDrive, type NumberedFile, numberedFiles } from './layout.ts';
import { loadingFindings, scanFindings } from './loading-findings.ts';
import {
  cameraStream,
  lidarStreams,
  namesOfFormat,
  oxtsFields,
  oxtsStreams,
  pairFrames,
  readOxts,
  type SensorFrames,
  scansBySize,
  type Turns,
  type Zero,
} from './streams.ts';
import { readTimestamps, secondsOf, type Timestamps } from './timestamps.ts';

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
    const times = await readTimestamps(tree, inDrive(drive, `${sensor}/timestamps.txt`));
    const paired = pairFrames(sensor, files, times);
    findings.push(...paired.findings);
    return paired;
  };
  const seen: SensorFrames[] = [];
  for (const camera of cameras) {
    const paired = await frames(camera, numberedFiles(drive, camera, /^(png|jpe?g)$/i));
    if (paired.times !== null || paired.files.length > 0) seen.push(paired);
  }
  const { whole, odd } = scansBySize(drive);
  const lidar = await frames('velodyne_points', whole);
  findings.push(...scanFindings(odd, whole.length + odd.length));
  const turns = await turnsOf(tree, drive);
  const oxts = await frames('oxts', numberedFiles(drive, 'oxts', /^txt$/i));
  const packets = await readOxts(tree, oxts.files);
  findings.push(...packets.findings, ...(await formatFinding(tree, drive)));
  findings.push(...(await loadingFindings(tree, drive)));
  const zero = zeroOf([...seen, lidar, oxts].map(({ times }) => times));
  const streams = [
    ...seen.map((camera) => cameraStream(camera, drive, context.calibrations, zero)),
    ...(lidar.files.length === 0 ? [] : lidarStreams(lidar, turns, zero)),
    ...(oxts.files.length === 0 ? [] : oxtsStreams(oxts, packets, zero)),
  ];
  const labels = inDrive(drive, 'tracklet_labels.xml');
  const used = filesUsed(tree, drive, { pictures: seen, lidar, oxts, labels });
  return {
    id: drive.folder === '' ? 'drive' : drive.folder,
    index: context.index,
    locator: { format: 'kitti-raw', path: used[0]?.path ?? drive.folder },
    sources: await sourceRefs(tree, used, context.hasher, context.hashes),
    // Local times that name no zone are no moment.
    start_ns: null,
    duration_s: durationOf(streams),
    streams,
    events: await eventsOf(tree, labels, seen, zero),
    tasks: null,
    outcome: unknownOutcome,
    robot: 'Volkswagen Passat',
    calibrations: context.calibrations,
    grippers: [],
    labels: null,
    findings,
  };
}

async function turnsOf(tree: SourceTree, drive: Drive): Promise<Turns> {
  const read = (name: string) => readTimestamps(tree, inDrive(drive, `velodyne_points/${name}.txt`));
  return { start: await read('timestamps_start'), end: await read('timestamps_end') };
}

async function eventsOf(
  tree: SourceTree,
  labels: string,
  seen: readonly SensorFrames[],
  zero: Zero,
): Promise<Event[]> {
  const times = seen.find((camera) => camera.times !== null)?.times ?? null;
  if (!tree.has(labels) || times === null) return [];
  return trackletEvents(tree, labels, (frame) => {
    const [time_s] = secondsOf(times, [frame], zero);
    return Number.isFinite(time_s) ? time_s : null;
  });
}

function zeroOf(all: readonly (Timestamps | null)[]): Zero {
  let zero: Zero | null = null;
  for (const times of all) {
    if (times === null) continue;
    for (let i = 0; i < times.whole_s.length; i++) {
      const [whole_s, fraction_s] = [times.whole_s[i], times.fraction_s[i]];
      if (Number.isNaN(whole_s)) continue;
      if (zero === null || whole_s - zero.whole_s + (fraction_s - zero.fraction_s) < 0)
        zero = { whole_s, fraction_s };
    }
  }
  return zero ?? { whole_s: 0, fraction_s: 0 };
}

function durationOf(streams: readonly Stream[]): number {
  let last_s = 0;
  for (const stream of streams) {
    const end_s = timesOf(stream)?.at(-1);
    if (end_s !== undefined && end_s > last_s) last_s = end_s;
  }
  return last_s;
}

interface Used {
  readonly pictures: readonly SensorFrames[];
  readonly lidar: SensorFrames;
  readonly oxts: SensorFrames;
  readonly labels: string;
}

function filesUsed(tree: SourceTree, drive: Drive, { pictures, lidar, oxts, labels }: Used): UsedFile[] {
  const metadata = [
    ...[...cameras, 'velodyne_points', 'oxts'].map((sensor) => inDrive(drive, `${sensor}/timestamps.txt`)),
    inDrive(drive, 'velodyne_points/timestamps_start.txt'),
    inDrive(drive, 'velodyne_points/timestamps_end.txt'),
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

/** Another order of fields would put every number under a wrong name. */
async function formatFinding(tree: SourceTree, drive: Drive): Promise<Finding[]> {
  const path = inDrive(drive, 'oxts/dataformat.txt');
  if (!tree.has(path)) return [];
  const names = namesOfFormat(await tree.text(path, 64 * 1024));
  if (names.join() === oxtsFields.join()) return [];
  return [
    {
      code: 'oxts_format_differs',
      severity: 'warning',
      path,
      message: `${path} lists other fields than KITTI has; the numbers are named as in KITTI`,
      advice: 'check the order of the fields before using the names',
    },
  ];
}

/** An object that was followed through a drive. */
interface Tracklet {
  readonly category: string;
  /** Frame number of the first of its poses. */
  readonly first_frame: number;
}

const mostBytes = 64 * 1024 * 1024;
/** Boost writes objectType, sizes and first_frame of a tracklet in this order, each in a tag of its own. */
const tag = /<(objectType|first_frame)>([^<]{0,64})</g;

async function readTracklets(tree: SourceTree, path: string): Promise<Tracklet[]> {
  const tracklets: Tracklet[] = [];
  let category: string | null = null;
  for (const [, name, text] of (await tree.text(path, mostBytes)).matchAll(tag)) {
    if (name === 'objectType') category = text.trim();
    else if (category !== null && Number.isSafeInteger(Number(text))) {
      tracklets.push({ category, first_frame: Number(text) });
      category = null;
    }
  }
  return tracklets;
}

/** When each labelled object is first seen. `timeOf`: seconds of a frame number; null where it has no time. */
async function trackletEvents(
  tree: SourceTree,
  path: string,
  timeOf: (frame: number) => number | null,
): Promise<Event[]> {
  const events: Event[] = [];
  for (const { category, first_frame } of await readTracklets(tree, path)) {
    const time_s = timeOf(first_frame);
    if (time_s !== null) events.push({ time_s, label: category, source: path });
  }
  return events.sort((a, b) => a.time_s - b.time_s);
}
