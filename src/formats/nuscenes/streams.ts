import type { Calibration, Clock, Stream } from '#core/episode';
import type { Channel, Measurement } from './measurements.ts';
import type { EgoPoses } from './poses.ts';

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
