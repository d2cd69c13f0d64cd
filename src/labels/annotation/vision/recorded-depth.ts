import { type JsonObject, limits, significant } from '#core';
import type { Calibration } from '#core/episode';
import {
  type DistanceBatch,
  type DistanceFrame,
  type LaneContext,
  type LaneEpisode,
  type LanePart,
  roundToMicroseconds,
} from '../lane.ts';
import {
  type DepthMap,
  type DepthSamples,
  encodePng,
  finiteRange,
  hashSamples,
  quantiseLengths,
  quantiseRange,
  sampleQuantiles,
} from './depth-map.ts';

/**
 * Depth of an episode: artifact entries per camera, PNG parts, number of maps, and agreement between neighbouring
 * frames.
 */
export interface EpisodeDepth {
  readonly cameras: readonly CameraJson[];
  readonly parts: DepthParts['parts'];
  readonly maps: number;
  readonly agreement: number | null;
}

interface RecordedCamera {
  readonly about: JsonObject;
  unreadable: string | null;
  readonly frames: JsonObject[];
  readonly missing: ReturnType<typeof missingJson>[];
}

/**
 * Stores all recorded depth frames of an episode as PNG parts, and returns them with entries for each camera and the
 * agreement of consecutive frames. 16-bit values are stored unchanged.
 */
export async function recordedDepth(episode: LaneEpisode, context: LaneContext): Promise<EpisodeDepth> {
  const parts = new DepthParts();
  const agreement = new DepthAgreement(false);
  const cameras = new Map<string, RecordedCamera>();
  for await (const batch of context.distances()) {
    context.signal.throwIfAborted();
    const unit = recordedUnit(batch.encoding);
    let camera = cameras.get(batch.camera);
    if (camera === undefined) {
      agreement.nextCamera();
      camera = { about: cameraFacts(episode, batch, unit), unreadable: null, frames: [], missing: [] };
      cameras.set(batch.camera, camera);
    }
    camera.unreadable ??= batch.unreadable;
    for (const frame of batch.frames) {
      const map = { ...frame, values: toValidDepths(frame.values) };
      agreement.add(map);
      camera.frames.push(await parts.add(map, toSamples(frame, unit)));
    }
    camera.missing.push(...batch.missing.map(missingJson));
  }
  const cameraEntries = [...cameras.values()].map(
    ({ about, ...rest }): CameraJson => ({ ...about, ...rest }),
  );
  const maps = cameraEntries.reduce((sum, { frames }) => sum + frames.length, 0);
  return { cameras: cameraEntries, parts: parts.parts, maps, agreement: agreement.fraction };
}

function cameraFacts(
  { calibrations = [] }: LaneEpisode,
  { camera, encoding }: DistanceBatch,
  { step_m, reason }: RecordedUnit,
): JsonObject {
  const intrinsics = intrinsicsJson(camera, calibrations);
  return {
    ...{ camera, encoding, intrinsics, kind: 'recorded' },
    intrinsics_reason: intrinsics === null ? 'the recording has no calibration for this camera' : null,
    unit: step_m === null ? null : 'm',
    unit_reason: reason,
  };
}

/** Replaces zero, negative and non-finite values with NaN (no depth). */
const toValidDepths = (values: Uint16Array | Float32Array): Float32Array =>
  Float32Array.from(values, (value) => (value > 0 && value < Number.POSITIVE_INFINITY ? value : Number.NaN));

/**
 * Returns samples of a recorded frame: 16-bit values unchanged, others in steps of 1 mm, or of their range if the
 * unit is unknown.
 */
function toSamples({ values, width_px, height_px }: DistanceFrame, { step_m }: RecordedUnit): DepthSamples {
  if (values instanceof Uint16Array) return { samples: values, scale: step_m ?? 1, offset: 0 };
  const map = { width_px, height_px, values: toValidDepths(values) };
  return step_m === null ? quantiseRange(map) : quantiseLengths(map, 0.001);
}

/** Unit of a depth camera's values. */
interface RecordedUnit {
  /** Metres per step of one; `null` if unknown. */
  readonly step_m: number | null;
  readonly reason: string;
}

/**
 * Derives the unit from the encoding name (REP 118): 16UC1 is in millimetres, 32FC1 in metres; others have no known
 * unit.
 */
function recordedUnit(encoding: string | null): RecordedUnit {
  if (encoding !== null && /32FC1.*compressedDepth/i.test(encoding))
    return {
      step_m: null,
      reason: 'compressedDepth with 32FC1 stores quantised inverse depth, which is not supported',
    };
  if (encoding !== null && /16UC1/i.test(encoding))
    return { step_m: 0.001, reason: '16UC1 is in millimetres (REP 118)' };
  if (encoding !== null && /32FC1/i.test(encoding))
    return { step_m: 1, reason: '32FC1 is in metres (REP 118)' };
  return { step_m: null, reason: 'the recording does not state the unit of its depth' };
}

/** Returns the calibration whose target is the camera, or else the parent topic of the camera. */
function findCalibration(camera: string, calibrations: readonly Calibration[]): Calibration | undefined {
  const above = camera.slice(0, Math.max(0, camera.lastIndexOf('/')));
  const current = calibrations.find(({ target }) => target === camera);
  return current ?? calibrations.find(({ target }) => target !== '' && target === above);
}

/**
 * Returns focal lengths, principal point, distortion and picture size of a camera from its calibration; `null`
 * without a valid 3x3 matrix K.
 */
export function intrinsicsJson(camera: string, calibrations: readonly Calibration[]): JsonObject | null {
  const found = findCalibration(camera, calibrations);
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

/** Maximum relative difference at which depths of neighbouring frames agree. */
const maxRelativeDifference = 0.1;

/** Measures the fraction of pixels whose depth agrees with the previous frame of the same camera. */
export class DepthAgreement {
  #before: DepthMap | null = null;
  #pixels = 0;
  #agreeing = 0;
  readonly #relative: boolean;

  /** `relative`: values have no unit, so they are compared after scaling each frame to its own range. */
  constructor(relative: boolean) {
    this.#relative = relative;
  }

  /** Adds the next frame; it is compared with the previous one if both have the same size. */
  add(map: DepthMap): void {
    const current = this.#relative ? scaleToRange(map) : map;
    const before = this.#before;
    this.#before = current;
    if (before === null || before.width_px !== current.width_px || before.height_px !== current.height_px)
      return;
    this.#pixels += current.values.length;
    for (let i = 0; i < current.values.length; i++) {
      const [a, b] = [current.values[i], before.values[i]];
      const allowed = this.#relative ? maxRelativeDifference : maxRelativeDifference * Math.max(a, b);
      if (Math.abs(a - b) <= allowed) this.#agreeing++;
    }
  }

  /** Starts another camera: its first frame is not compared. */
  nextCamera(): void {
    this.#before = null;
  }

  /** Fraction of agreeing pixels; `null` if no two frames were compared. */
  get fraction(): number | null {
    return this.#pixels === 0 ? null : this.#agreeing / this.#pixels;
  }
}

function scaleToRange({ width_px, height_px, values }: DepthMap): DepthMap {
  const { min, max } = finiteRange(values);
  const width = max > min ? max - min : 1;
  return { width_px, height_px, values: values.map((value) => (value - min) / width) };
}

interface TimedDepthMap extends DepthMap {
  readonly row: number;
  readonly time_s: number;
}

const maxPart_bytes = limits.annotation.depth_bytes.value;

/** Collects depth maps of an episode as PNG parts, up to `maxPart_bytes`. */
export class DepthParts {
  readonly parts: LanePart[] = [];
  #bytes = 0;

  /**
   * Stores a map as PNG and returns its artifact entry; if it exceeds `maxPart_bytes` in total, it is not stored and
   * `part` is `null`.
   */
  async add(map: TimedDepthMap, { samples, scale, offset }: DepthSamples): Promise<JsonObject> {
    const { row, time_s, width_px, height_px } = map;
    const bytes = await encodePng(map, samples);
    const fits = this.#bytes + bytes.length <= maxPart_bytes;
    const name = `depth-${String(this.parts.length).padStart(5, '0')}.png`;
    if (fits) {
      this.#bytes += bytes.length;
      this.parts.push({ name, media_type: 'image/png', bytes });
    }
    const valid = samples.reduce((sum, sample) => sum + (sample === 0 ? 0 : 1), 0);
    return {
      ...{ row, time_s: roundToMicroseconds(time_s), width_px, height_px, scale, offset },
      part: fits ? name : null,
      part_reason: fits ? null : `depth maps of an episode are limited to ${maxPart_bytes} bytes`,
      quantiles: depthQuantiles({ samples, scale, offset }),
      samples_sha256: hashSamples(samples),
      with_depth_fraction: significant(valid / samples.length, 4),
    };
  }
}

/** Returns the 2nd, 50th and 98th percentile of a frame's depths; `null` if it has none. */
function depthQuantiles({ samples, scale, offset }: DepthSamples): JsonObject | null {
  const found = sampleQuantiles(samples, [0.02, 0.5, 0.98]);
  if (found === null) return null;
  const [p02, p50, p98] = found.map((sample) => significant(offset + scale * sample, 6));
  return { p02, p50, p98 };
}

/** Artifact entry of a camera. */
export type CameraJson = JsonObject & {
  readonly unreadable: string | null;
  readonly frames: readonly JsonObject[];
  readonly missing: readonly ReturnType<typeof missingJson>[];
};

/** Builds the artifact entry of a frame without depth. */
export const missingJson = ({ row, time_s, reason }: { row: number; time_s: number; reason: string }) => ({
  row,
  time_s: roundToMicroseconds(time_s),
  reason,
});
