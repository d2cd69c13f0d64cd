import type { Calibration, Clock, Finding, Stream } from '#core/episode';
import { FileWindow, type SourceTree } from '#io/sources';
import { parseRecord, type RecordPlace } from '../shared/text/json-list.ts';
import { nuScenesBreach } from './rules.ts';
import type { Mount } from './small-tables.ts';
import { numberOf, numbersOf, textOf } from './small-tables.ts';
import type { TokenIndex } from './token-index.ts';

const reason = 'the time of this sensor, µs since the UNIX epoch';
/** x, y, z, intensity and ring as floats. */
const pointBytes = 20;

/** A camera whose pictures stay in their files; frames whose file is absent are left out. */
export function cameraStream({ name, measurements }: Channel, zero_us: number): Stream {
  const there = measurements.filter(({ bytes }) => bytes !== null);
  const [first] = measurements;
  return {
    id: name,
    role: 'camera',
    modality: 'image',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'a picture file' },
    declared_rate_hz: null,
    sample_count: there.length,
    ...clockOf(there, zero_us),
    frames: {
      locator:
        there.length > 0
          ? { type: 'image-files', paths: there.map(({ file }) => file) }
          : { type: 'missing', path: first.file, reason: 'no picture of the scene is there' },
      declared_size_px: first.size_px,
      declared_codec: null,
    },
  };
}

/** Point clouds stay in their files; how many points a laser scan has, its size tells. */
export function rangeStreams({ name, mount, measurements }: Channel, zero_us: number): Stream[] {
  const there = measurements.filter(({ bytes }) => bytes !== null);
  const isLidar = mount.modality === 'lidar';
  const base = { declared_rate_hz: null, sample_count: there.length, ...clockOf(there, zero_us) };
  const clouds: Stream = {
    ...base,
    id: name,
    role: isLidar ? 'lidar' : 'other',
    modality: 'opaque',
    shape: [],
    names: isLidar ? ['x', 'y', 'z', 'intensity', 'ring'] : null,
    unit: { unit: 'm', evidence: 'known_format', reason: 'the schema of nuScenes' },
  };
  if (!isLidar) return [clouds];
  const values = Float64Array.from(there, ({ bytes }) => Math.floor((bytes ?? 0) / pointBytes));
  const counts: Stream = {
    ...base,
    id: `${name}/count`,
    role: 'other',
    modality: 'numeric',
    shape: [1],
    names: ['points'],
    unit: { unit: 'points', evidence: 'measured', reason: 'size of the file / 20: five floats a point' },
    series: { values, dims: 1 },
  };
  return [clouds, counts];
}

/** Laser scans of which the size is no whole number of points. */
export function damagedScans({ mount, measurements }: Channel): Measurement[] {
  if (mount.modality !== 'lidar') return [];
  return measurements.filter(({ bytes }) => bytes !== null && (bytes === 0 || bytes % pointBytes !== 0));
}

export function poseStream({ time_us, values }: EgoPoses, zero_us: number): Stream {
  return {
    id: 'ego_pose',
    role: 'odometry',
    modality: 'numeric',
    shape: [7],
    names: ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'],
    unit: { unit: 'mixed', evidence: 'known_format', reason: 'm in the map, and a quaternion as w, x, y, z' },
    declared_rate_hz: null,
    sample_count: time_us.length,
    ...clocks(time_us.map((time) => (time - zero_us) / 1e6)),
    series: { values, dims: 7 },
  };
}

/** Keyframes, and how many boxes were drawn at each. */
export function keyframeStream(time_us: Float64Array, boxes: Float64Array, zero_us: number): Stream {
  return {
    id: 'keyframes',
    role: 'annotation',
    modality: 'numeric',
    shape: [1],
    names: ['boxes'],
    unit: { unit: 'boxes', evidence: 'known_format', reason: 'rows of sample_annotation' },
    declared_rate_hz: null,
    sample_count: time_us.length,
    ...clocks(time_us.map((time) => (time - zero_us) / 1e6)),
    series: { values: boxes, dims: 1 },
  };
}

function clockOf(measurements: readonly Measurement[], zero_us: number): Pick<Stream, 'clocks' | 'clock'> {
  return clocks(Float64Array.from(measurements, ({ time_us }) => (time_us - zero_us) / 1e6));
}

function clocks(time_s: Float64Array): Pick<Stream, 'clocks' | 'clock'> {
  const clock: Clock = { name: 'timestamp', provenance: 'header', time_s };
  return time_s.length === 0 ? { clocks: [], clock: null } : { clocks: [clock], clock: { index: 0, reason } };
}

export function calibrationOf(channels: readonly Channel[], source: string): Calibration[] {
  return channels.map(({ name, mount: { modality, translation, rotation, intrinsic } }) => ({
    target: name,
    model: modality === 'camera' ? 'pinhole' : 'rigid',
    source,
    values: {
      ...(translation === null ? {} : { translation_m: translation }),
      ...(rotation === null ? {} : { rotation_wxyz: rotation }),
      ...(intrinsic === null || intrinsic.length === 0 ? {} : { camera_intrinsic: intrinsic }),
    },
  }));
}

/** Poses of the car in the frame of the map: x, y, z, then w, x, y, z of the rotation. */
interface EgoPoses {
  readonly time_us: Float64Array;
  readonly values: Float64Array;
  readonly findings: readonly Finding[];
}

const width = 7;
/** How far a quaternion may be from length 1. */
const unitSlack = 1e-3;

/** The poses that measurements refer to, in their order. */
export async function readPoses(
  tree: SourceTree,
  path: string,
  index: TokenIndex,
  measurements: readonly Measurement[],
): Promise<EgoPoses> {
  const times: number[] = [];
  const values: number[] = [];
  let absent = 0;
  let skewed = 0;
  await using file = await tree.openFile(path);
  const window = new FileWindow(file, tree.entry(path)?.bytes ?? 0);
  for (const { pose_token } of measurements) {
    const pose = await readPose(window, path, index, pose_token);
    if (pose === null) {
      absent++;
      continue;
    }
    if (Math.abs(Math.hypot(...pose.rotation) - 1) > unitSlack) skewed++;
    times.push(pose.time_us);
    values.push(...pose.translation, ...pose.rotation);
  }
  return {
    time_us: Float64Array.from(times),
    values: Float64Array.from(values),
    findings: [...absentFinding(path, absent, measurements.length), ...skewFinding(path, skewed)],
  };
}

async function readPose(window: FileWindow, path: string, index: TokenIndex, token: string) {
  for (const { offset, bytes } of index.find(token)) {
    const record = parseRecord(await window.read(offset, bytes), path);
    if (record === null || textOf(record, 'token') !== token) continue;
    const [translation, rotation] = [numbersOf(record.translation), numbersOf(record.rotation)];
    if (translation?.length !== 3 || rotation?.length !== width - 3) return null;
    const time_us = numberOf(record, 'timestamp');
    return Number.isFinite(time_us) ? { time_us, translation, rotation } : null;
  }
  return null;
}

function absentFinding(path: string, absent: number, asked: number): Finding[] {
  if (absent === 0) return [];
  const message = `${absent} of ${asked} poses of the car that the scene refers to are not in ${path}`;
  return [nuScenesBreach('poses_missing', path, message, { asked, absent })];
}

function skewFinding(path: string, skewed: number): Finding[] {
  if (skewed === 0) return [];
  return [
    {
      code: 'quaternion_not_unit',
      severity: 'warning',
      path,
      message: `${skewed} rotations of the car are no unit quaternions`,
      advice: 'write them as w, x, y, z of length 1',
      evidence: { rotations: skewed },
    },
  ];
}

/** One record of sample_data: what a sensor measured at a moment. */
export interface Measurement {
  readonly time_us: number;
  readonly file: string;
  /** null: the file is not there. */
  readonly bytes: number | null;
  readonly size_px: readonly [width: number, height: number] | null;
  readonly pose_token: string;
}

/** The measurements of one sensor in a scene, in the order of their times. */
export interface Channel {
  readonly name: string;
  readonly mount: Mount;
  readonly measurements: readonly Measurement[];
}

/** Reads the records of one scene again, and sorts them by sensor and time. */
export async function readChannels(
  tree: SourceTree,
  path: string,
  places: readonly RecordPlace[],
  mounts: ReadonlyMap<string, Mount>,
): Promise<Channel[]> {
  const channels = new Map<string, { mount: Mount; measurements: Measurement[] }>();
  await using file = await tree.openFile(path);
  const window = new FileWindow(file, tree.entry(path)?.bytes ?? 0);
  for (const { offset, bytes } of places) {
    const record = parseRecord(await window.read(offset, bytes), path);
    const mount = record === null ? undefined : mounts.get(textOf(record, 'calibrated_sensor_token'));
    if (record === null || mount === undefined) continue;
    const [width, height] = [numberOf(record, 'width'), numberOf(record, 'height')];
    const name = textOf(record, 'filename');
    const own = channels.get(mount.channel) ?? { mount, measurements: [] };
    own.measurements.push({
      time_us: numberOf(record, 'timestamp'),
      file: name,
      bytes: tree.entry(name)?.bytes ?? null,
      size_px: width > 0 && height > 0 ? [width, height] : null,
      pose_token: textOf(record, 'ego_pose_token'),
    });
    channels.set(mount.channel, own);
  }
  return [...channels]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { mount, measurements }]) => ({
      name,
      mount,
      measurements: measurements.sort((a, b) => a.time_us - b.time_us),
    }));
}
