import type { JsonObject } from '#core';
import type { DistanceBatch, DistanceFrame, LaneContext, LaneEpisode } from '../../lane.ts';
import { Agreement } from './agreement.ts';
import { type DepthSamples, lengthSamples, rangeSamples } from './depth-map.ts';
import { type CameraJson, DepthParts, missingJson } from './depth-parts.ts';
import { intrinsicsJson } from './intrinsics.ts';
import { type RecordedUnit, recordedUnit } from './recorded-unit.ts';

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
