import type { Calibration, Clock, Finding, Stream } from '#core/episode';
import { FileWindow, type SourceTree } from '#io/sources';
import { parseRecord, type RecordLocation } from '../shared/text/json-list.ts';
import type { TokenIndex } from './large-tables.ts';
import { nuScenesViolation } from './rules.ts';
import { type Mount, numberField, textField, toNumbers } from './small-tables.ts';

const reason = 'timestamps of this sensor, µs since the UNIX epoch';
/** Bytes per point: x, y, z, intensity and ring as float32. */
const pointBytes = 20;

/**
 * Returns the image-file stream of a camera from the frames whose file exists, with times from `origin_us`; if none
 * exists, the locator is `missing`.
 */
export function cameraStream({ name, measurements }: Channel, origin_us: number): Stream {
  const present = measurements.filter(({ bytes }) => bytes !== null);
  const [first] = measurements;
  return {
    id: name,
    role: 'camera',
    modality: 'image',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'image file' },
    declared_rate_hz: null,
    sample_count: present.length,
    ...measurementClock(present, origin_us),
    frames: {
      locator:
        present.length > 0
          ? { type: 'image-files', paths: present.map(({ file }) => file) }
          : { type: 'missing', path: first.file, reason: 'the images of this scene are missing' },
      declared_size_px: first.size_px,
      declared_codec: null,
    },
  };
}

/**
 * Returns the stream of a lidar or radar, whose point clouds stay in their files; for a lidar also one with the number
 * of points per scan, computed from the file size.
 */
export function rangeStreams({ name, mount, measurements }: Channel, origin_us: number): Stream[] {
  const present = measurements.filter(({ bytes }) => bytes !== null);
  const isLidar = mount.modality === 'lidar';
  const base = {
    declared_rate_hz: null,
    sample_count: present.length,
    ...measurementClock(present, origin_us),
  };
  const clouds: Stream = {
    ...base,
    id: name,
    role: isLidar ? 'lidar' : 'other',
    modality: 'opaque',
    shape: [],
    names: isLidar ? ['x', 'y', 'z', 'intensity', 'ring'] : null,
    unit: { unit: 'm', evidence: 'known_format', reason: 'nuScenes schema' },
  };
  if (!isLidar) return [clouds];
  const values = Float64Array.from(present, ({ bytes }) => Math.floor((bytes ?? 0) / pointBytes));
  const counts: Stream = {
    ...base,
    id: `${name}/count`,
    role: 'other',
    modality: 'numeric',
    shape: [1],
    names: ['points'],
    unit: { unit: 'points', evidence: 'measured', reason: 'file size / 20: five floats per point' },
    series: { values, dims: 1 },
  };
  return [clouds, counts];
}

/** Returns the lidar scans that are empty or whose size is no whole number of points; none for other sensors. */
export function findInvalidScans({ mount, measurements }: Channel): Measurement[] {
  if (mount.modality !== 'lidar') return [];
  return measurements.filter(({ bytes }) => bytes !== null && (bytes === 0 || bytes % pointBytes !== 0));
}

/** Returns the stream of the car's poses (position in m, quaternion w x y z), with times from `origin_us`. */
export function poseStream({ time_us, values }: EgoPoses, origin_us: number): Stream {
  return {
    id: 'ego_pose',
    role: 'odometry',
    modality: 'numeric',
    shape: [7],
    names: ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'],
    unit: {
      unit: 'mixed',
      evidence: 'known_format',
      reason: 'position in m in the map frame, and a quaternion as w, x, y, z',
    },
    declared_rate_hz: null,
    sample_count: time_us.length,
    ...buildClock(time_us.map((time) => (time - origin_us) / 1e6)),
    series: { values, dims: 7 },
  };
}

/** Returns the stream of keyframes with the number of boxes at each, with times from `origin_us`. */
export function keyframeStream(time_us: Float64Array, boxes: Float64Array, origin_us: number): Stream {
  return {
    id: 'keyframes',
    role: 'annotation',
    modality: 'numeric',
    shape: [1],
    names: ['boxes'],
    unit: { unit: 'boxes', evidence: 'known_format', reason: 'rows of sample_annotation' },
    declared_rate_hz: null,
    sample_count: time_us.length,
    ...buildClock(time_us.map((time) => (time - origin_us) / 1e6)),
    series: { values: boxes, dims: 1 },
  };
}

function measurementClock(
  measurements: readonly Measurement[],
  origin_us: number,
): Pick<Stream, 'clocks' | 'clock'> {
  return buildClock(Float64Array.from(measurements, ({ time_us }) => (time_us - origin_us) / 1e6));
}

function buildClock(time_s: Float64Array): Pick<Stream, 'clocks' | 'clock'> {
  const clock: Clock = { name: 'timestamp', provenance: 'header', time_s };
  return time_s.length === 0 ? { clocks: [], clock: null } : { clocks: [clock], clock: { index: 0, reason } };
}

/** Returns the calibration of each channel: pose on the car, and intrinsics of cameras. */
export function buildCalibrations(channels: readonly Channel[], source: string): Calibration[] {
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

/** Poses of the car in the map's frame: x, y, z, then the rotation as w, x, y, z. */
interface EgoPoses {
  readonly time_us: Float64Array;
  readonly values: Float64Array;
  readonly findings: readonly Finding[];
}

const poseWidth = 7;
/** Maximum deviation of a quaternion's length from 1. */
const maxUnitDeviation = 1e-3;

/**
 * Returns the poses that the measurements refer to, in their order, without missing ones; these, and rotations that are
 * no unit quaternions, become findings.
 */
export async function readPoses(
  tree: SourceTree,
  path: string,
  index: TokenIndex,
  measurements: readonly Measurement[],
): Promise<EgoPoses> {
  const times: number[] = [];
  const values: number[] = [];
  let missing = 0;
  let nonUnit = 0;
  await using file = await tree.openFile(path);
  const window = new FileWindow(file, tree.entry(path)?.bytes ?? 0);
  for (const { pose_token } of measurements) {
    const pose = await readPose(window, path, index, pose_token);
    if (pose === null) {
      missing++;
      continue;
    }
    if (Math.abs(Math.hypot(...pose.rotation) - 1) > maxUnitDeviation) nonUnit++;
    times.push(pose.time_us);
    values.push(...pose.translation, ...pose.rotation);
  }
  return {
    time_us: Float64Array.from(times),
    values: Float64Array.from(values),
    findings: [...missingFindings(path, missing, measurements.length), ...nonUnitFindings(path, nonUnit)],
  };
}

async function readPose(window: FileWindow, path: string, index: TokenIndex, token: string) {
  for (const { offset, bytes } of index.find(token)) {
    const record = parseRecord(await window.read(offset, bytes), path);
    if (record === null || textField(record, 'token') !== token) continue;
    const [translation, rotation] = [toNumbers(record.translation), toNumbers(record.rotation)];
    if (translation?.length !== 3 || rotation?.length !== poseWidth - 3) return null;
    const time_us = numberField(record, 'timestamp');
    return Number.isFinite(time_us) ? { time_us, translation, rotation } : null;
  }
  return null;
}

function missingFindings(path: string, missing: number, requested: number): Finding[] {
  if (missing === 0) return [];
  const message = `${missing} of ${requested} ego poses used by the scene are missing in ${path}`;
  return [nuScenesViolation('poses_missing', path, message, { asked: requested, absent: missing })];
}

function nonUnitFindings(path: string, nonUnit: number): Finding[] {
  if (nonUnit === 0) return [];
  return [
    {
      code: 'quaternion_not_unit',
      severity: 'warning',
      path,
      message: `${nonUnit} ego rotations are not unit quaternions`,
      advice: 'write them as w, x, y, z with norm 1',
      evidence: { rotations: nonUnit },
    },
  ];
}

/** One record of sample_data: one measurement of a sensor. */
export interface Measurement {
  readonly time_us: number;
  readonly file: string;
  /** File size; `null` if the file is missing. */
  readonly bytes: number | null;
  readonly size_px: readonly [width: number, height: number] | null;
  readonly pose_token: string;
}

/** Measurements of one sensor in a scene, sorted by time. */
export interface Channel {
  readonly name: string;
  readonly mount: Mount;
  readonly measurements: readonly Measurement[];
}

/**
 * Reads the sample_data records of one scene and groups them by sensor, sorted by name and time; records without a
 * known sensor are left out.
 */
export async function readChannels(
  tree: SourceTree,
  path: string,
  locations: readonly RecordLocation[],
  mounts: ReadonlyMap<string, Mount>,
): Promise<Channel[]> {
  const channels = new Map<string, { mount: Mount; measurements: Measurement[] }>();
  await using file = await tree.openFile(path);
  const window = new FileWindow(file, tree.entry(path)?.bytes ?? 0);
  for (const { offset, bytes } of locations) {
    const record = parseRecord(await window.read(offset, bytes), path);
    const mount = record === null ? undefined : mounts.get(textField(record, 'calibrated_sensor_token'));
    if (record === null || mount === undefined) continue;
    const [width, height] = [numberField(record, 'width'), numberField(record, 'height')];
    const name = textField(record, 'filename');
    const channel = channels.get(mount.channel) ?? { mount, measurements: [] };
    channel.measurements.push({
      time_us: numberField(record, 'timestamp'),
      file: name,
      bytes: tree.entry(name)?.bytes ?? null,
      size_px: width > 0 && height > 0 ? [width, height] : null,
      pose_token: textField(record, 'ego_pose_token'),
    });
    channels.set(mount.channel, channel);
  }
  return [...channels]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { mount, measurements }]) => ({
      name,
      mount,
      measurements: measurements.sort((a, b) => a.time_us - b.time_us),
    }));
}
