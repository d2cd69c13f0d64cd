import type { JsonObject } from '#core';
import type { ExportFeature, SetPlan } from '../../../shared/write/set/plan-set.ts';

/** A feature of a LeRobot set, concatenated from one or more streams. */
export interface RecordedFeature {
  readonly key: string;
  readonly dtype: 'float32' | 'float64';
  readonly dims: number;
  readonly names: readonly string[];
  readonly parts: readonly ExportFeature[];
}

/** Features of a recorded set. */
export interface RecordedFeatures {
  readonly numbers: readonly RecordedFeature[];
  readonly cameras: readonly { readonly key: string; readonly stream: string }[];
}

const reservedNames: ReadonlySet<string> = new Set([
  'timestamp',
  'frame_index',
  'episode_index',
  'index',
  'task_index',
]);
const sensorRoles: ReadonlySet<string> = new Set([
  ...['imu', 'gnss', 'attitude', 'odometry', 'vehicle', 'lidar', 'effort', 'tactile', 'audio', 'depth'],
]);

/**
 * Returns the features under LeRobot's names: states joined as `observation.state` and actions as `action`, both
 * float32, cameras as `observation.images.NAME`; others keep their type. Names that LeRobot reserves are prefixed by
 * `recorded.`, and sensors by `observation.`.
 */
export function resolveRecordedFeatures({ features, cameras }: SetPlan): RecordedFeatures {
  const of = (role: string) => features.filter((feature) => feature.role === role);
  const rest = features.filter(({ role }) => role !== 'state' && role !== 'action');
  const joined = [joinFeatures('observation.state', of('state')), joinFeatures('action', of('action'))];
  return {
    numbers: [...joined.flat(), ...rest.map((feature) => toSingleFeature(feature))],
    cameras: cameras.map(({ key, stream }) => ({ key: cameraKey(key), stream })),
  };
}

/** Concatenates streams into one feature; empty without streams. */
function joinFeatures(key: string, parts: readonly ExportFeature[]): RecordedFeature[] {
  if (parts.length === 0) return [];
  const nameOf = (part: ExportFeature, name: string) => (parts.length === 1 ? name : `${part.key}.${name}`);
  const names = parts.flatMap((part) => part.names.map((name) => nameOf(part, name)));
  return [{ key, dtype: 'float32', dims: names.length, names, parts }];
}

/** Converts a stream to a feature; reserved names are prefixed by `recorded.`. */
function toSingleFeature(feature: ExportFeature): RecordedFeature {
  const { key, role, dims, names, type } = feature;
  const plain = sensorRoles.has(role) && !key.startsWith('observation.') ? `observation.${key}` : key;
  const taken = reservedNames.has(plain) || plain === 'action' || plain === 'observation.state';
  return { key: taken ? `recorded.${plain}` : plain, dtype: type, dims, names, parts: [feature] };
}

const cameraKey = (key: string) =>
  key.startsWith('observation.images.')
    ? key
    : `observation.images.${key.replace(/^observation\.(image\.)?/, '')}`;

/** Format of a written camera. */
export interface WrittenCamera {
  readonly key: string;
  readonly width_px: number;
  readonly height_px: number;
  readonly codec: string;
  /** Pixel format, e.g. `yuv420p`. */
  readonly pixel_format: string;
}

/** Returns the `features` of meta/info.json: numbers, cameras as video, timestamp and numbering columns. */
export function declareFeatures(
  { numbers }: RecordedFeatures,
  cameras: readonly WrittenCamera[],
  rate_hz: number,
): JsonObject {
  const counts = ['frame_index', 'episode_index', 'index', 'task_index'];
  return Object.fromEntries([
    ...numbers.map(
      ({ key, dtype, dims, names }) => [key, { dtype, shape: [dims], names: [...names] }] as const,
    ),
    ...cameras.map((camera) => [camera.key, declareCamera(camera, rate_hz)] as const),
    ['timestamp', { dtype: 'float32', shape: [1], names: null }] as const,
    ...counts.map((key) => [key, { dtype: 'int64', shape: [1], names: null }] as const),
  ]);
}

function declareCamera(camera: WrittenCamera, rate_hz: number): JsonObject {
  const { width_px: width, height_px: height, codec, pixel_format } = camera;
  return {
    dtype: 'video',
    shape: [height, width, 3],
    names: ['height', 'width', 'channels'],
    info: {
      'video.height': height,
      'video.width': width,
      'video.channels': 3,
      'video.codec': codec,
      'video.pix_fmt': pixel_format,
      'video.fps': rate_hz,
      'video.is_depth_map': false,
      has_audio: false,
    },
  };
}
