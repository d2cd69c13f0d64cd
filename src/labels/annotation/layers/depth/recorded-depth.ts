import { type JsonObject, limits, significant } from '#core';
import type { Calibration } from '#core/episode';
import type { DistanceBatch, DistanceFrame, LaneContext, LaneEpisode, LanePart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import {
  type DepthMap,
  type DepthSamples,
  hashOf,
  lengthSamples,
  pngOf,
  rangeOf,
  rangeSamples,
  sampleQuantiles,
} from './depth-map.ts';

/** Depth of an episode: what the artifact says of each camera, the parts, and how far frames agree. */
export interface EpisodeDepth {
  readonly cameras: readonly CameraJson[];
  readonly parts: DepthParts['parts'];
  readonly maps: number;
  readonly agreement: number | null;
}

interface Camera {
  readonly about: JsonObject;
  unreadable: string | null;
  readonly frames: JsonObject[];
  readonly missing: ReturnType<typeof missingJson>[];
}

/** What was recorded, as it was recorded: whole numbers stay the same numbers. */
export async function recordedDepth(episode: LaneEpisode, context: LaneContext): Promise<EpisodeDepth> {
  const parts = new DepthParts();
  const agreement = new Agreement(false);
  const cameras = new Map<string, Camera>();
  for await (const batch of context.distances()) {
    context.signal.throwIfAborted();
    const unit = recordedUnit(batch.encoding);
    let camera = cameras.get(batch.camera);
    if (camera === undefined) {
      agreement.nextCamera();
      camera = { about: aboutOf(episode, batch, unit), unreadable: null, frames: [], missing: [] };
      cameras.set(batch.camera, camera);
    }
    camera.unreadable ??= batch.unreadable;
    for (const frame of batch.frames) {
      const map = { ...frame, values: validOf(frame.values) };
      agreement.add(map);
      camera.frames.push(await parts.add(map, samplesOf(frame, unit)));
    }
    camera.missing.push(...batch.missing.map(missingJson));
  }
  const told = [...cameras.values()].map(({ about, ...rest }): CameraJson => ({ ...about, ...rest }));
  const maps = told.reduce((sum, { frames }) => sum + frames.length, 0);
  return { cameras: told, parts: parts.parts, maps, agreement: agreement.fraction };
}

function aboutOf(
  { calibrations = [] }: LaneEpisode,
  { camera, encoding }: DistanceBatch,
  { step_m, reason }: RecordedUnit,
): JsonObject {
  const intrinsics = intrinsicsJson(camera, calibrations);
  return {
    ...{ camera, encoding, intrinsics, kind: 'recorded' },
    intrinsics_reason: intrinsics === null ? 'the recording holds no calibration of this camera' : null,
    unit: step_m === null ? null : 'm',
    unit_reason: reason,
  };
}

/** Zero, and what is not finite, is no depth. */
const validOf = (values: Uint16Array | Float32Array): Float32Array =>
  Float32Array.from(values, (value) => (value > 0 && value < Number.POSITIVE_INFINITY ? value : Number.NaN));

/** Numbers of 16 bits pass as they are; others get steps of a millimetre, or of their range where they have no unit. */
function samplesOf({ values, width_px, height_px }: DistanceFrame, { step_m }: RecordedUnit): DepthSamples {
  if (values instanceof Uint16Array) return { samples: values, scale: step_m ?? 1, offset: 0 };
  const map = { width_px, height_px, values: validOf(values) };
  return step_m === null ? rangeSamples(map) : lengthSamples(map, 0.001);
}

/** What numbers of a depth camera mean; `step` is null where nobody knows. */
interface RecordedUnit {
  /** Metres of a step of one. */
  readonly step_m: number | null;
  readonly reason: string;
}

/**
 * By the convention of ROS (REP 118): 16UC1 is in millimetres, 32FC1 in metres. What no encoding is known of has no unit.
 */
function recordedUnit(encoding: string | null): RecordedUnit {
  if (encoding !== null && /32FC1.*compressedDepth/i.test(encoding))
    return {
      step_m: null,
      reason: 'compressedDepth of 32FC1 keeps inverse depth by parameters that are not read here',
    };
  if (encoding !== null && /16UC1/i.test(encoding))
    return { step_m: 0.001, reason: '16UC1 is in millimetres (REP 118)' };
  if (encoding !== null && /32FC1/i.test(encoding))
    return { step_m: 1, reason: '32FC1 is in metres (REP 118)' };
  return { step_m: null, reason: 'the recording does not say in which unit its depth is' };
}

/** The calibration of a camera: one of that name, or of the name that its topic lies below. */
function calibrationOf(camera: string, calibrations: readonly Calibration[]): Calibration | undefined {
  const above = camera.slice(0, Math.max(0, camera.lastIndexOf('/')));
  const own = calibrations.find(({ target }) => target === camera);
  return own ?? calibrations.find(({ target }) => target !== '' && target === above);
}

/** Focal lengths and principal point in px of the size that they are for; null where the recording says none. */
export function intrinsicsJson(camera: string, calibrations: readonly Calibration[]): JsonObject | null {
  const found = calibrationOf(camera, calibrations);
  const k = found?.values.K;
  if (found === undefined || k?.length !== 9 || !(k[0] > 0) || !k.every(Number.isFinite)) return null;
  const [fx_px, fy_px, cx_px, cy_px] = [k[0], k[4], k[2], k[5]].map((value) => significant(value, 9));
  const { width_px, height_px, D } = found.values;
  return {
    ...{ fx_px, fy_px, cx_px, cy_px },
    width_px: width_px?.[0] ?? null,
    height_px: height_px?.[0] ?? null,
    model: found.model,
    distortion: D === undefined ? null : D.map((value) => significant(value, 9)),
    source: found.source,
  };
}

/** Depths of neighbouring frames agree that differ by less than this share. */
const tolerance = 0.1;

/** Counts how many pixels have a depth that the frame before agrees with, camera by camera. */
export class Agreement {
  #before: DepthMap | null = null;
  #pixels = 0;
  #agreeing = 0;
  readonly #relative: boolean;

  /** `relative`: values have no unit, and are compared by their place in the range of their frame. */
  constructor(relative: boolean) {
    this.#relative = relative;
  }

  /** The next frame of a camera; a camera's first is compared with none. */
  add(map: DepthMap): void {
    const own = this.#relative ? inRange(map) : map;
    const before = this.#before;
    this.#before = own;
    if (before === null || before.width_px !== own.width_px || before.height_px !== own.height_px) return;
    this.#pixels += own.values.length;
    for (let i = 0; i < own.values.length; i++) {
      const [a, b] = [own.values[i], before.values[i]];
      const allowed = this.#relative ? tolerance : tolerance * Math.max(a, b);
      if (Math.abs(a - b) <= allowed) this.#agreeing++;
    }
  }

  nextCamera(): void {
    this.#before = null;
  }

  /** Null where no frame has a neighbour. */
  get fraction(): number | null {
    return this.#pixels === 0 ? null : this.#agreeing / this.#pixels;
  }
}

function inRange({ width_px, height_px, values }: DepthMap): DepthMap {
  const { least, greatest } = rangeOf(values);
  const width = greatest > least ? greatest - least : 1;
  return { width_px, height_px, values: values.map((value) => (value - least) / width) };
}

interface PlacedMap extends DepthMap {
  readonly row: number;
  readonly time_s: number;
}

const mostBytes = limits.annotation.depth_bytes.value;

/** Depth maps of an episode as PNG parts, and what the artifact says of each. */
export class DepthParts {
  readonly parts: LanePart[] = [];
  #bytes = 0;

  /** What is said of a frame; its map is kept as a part while there is room. */
  async add(map: PlacedMap, { samples, scale, offset }: DepthSamples): Promise<JsonObject> {
    const { row, time_s, width_px, height_px } = map;
    const bytes = await pngOf(map, samples);
    const isRoom = this.#bytes + bytes.length <= mostBytes;
    const name = `depth-${String(this.parts.length).padStart(5, '0')}.png`;
    if (isRoom) {
      this.#bytes += bytes.length;
      this.parts.push({ name, media_type: 'image/png', bytes });
    }
    const valid = samples.reduce((sum, sample) => sum + (sample === 0 ? 0 : 1), 0);
    return {
      ...{ row, time_s: micro(time_s), width_px, height_px, scale, offset },
      part: isRoom ? name : null,
      part_reason: isRoom ? null : `depth maps of an episode take ${mostBytes} bytes at most`,
      quantiles: quantilesOf({ samples, scale, offset }),
      samples_sha256: hashOf(samples),
      with_depth_fraction: significant(valid / samples.length, 4),
    };
  }
}

/** Below which a fiftieth, half, and all but a fiftieth of the depths of a frame lie; null where it has none. */
function quantilesOf({ samples, scale, offset }: DepthSamples): JsonObject | null {
  const found = sampleQuantiles(samples, [0.02, 0.5, 0.98]);
  if (found === null) return null;
  const [p02, p50, p98] = found.map((sample) => significant(offset + scale * sample, 6));
  return { p02, p50, p98 };
}

/** What the artifact says of a camera. */
export type CameraJson = JsonObject & {
  readonly unreadable: string | null;
  readonly frames: readonly JsonObject[];
  readonly missing: readonly ReturnType<typeof missingJson>[];
};

/** A frame that there is no depth of. */
export const missingJson = ({ row, time_s, reason }: { row: number; time_s: number; reason: string }) => ({
  row,
  time_s: micro(time_s),
  reason,
});
