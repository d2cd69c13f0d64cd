import { clockOf, type Stream } from '#core/episode';
import type { LaneContext, LaneEpisode } from '../../lane.ts';
import { type Motion, measureMotion } from '../../motion/motion.ts';
import {
  compareFrames,
  computeFeatures,
  type FrameFeatures,
  type GreyImage,
} from '../../vision/frame-statistics.ts';

/** Grid of picture regions that are measured separately. */
const regions = { across: 4, down: 3 } as const;
/** Grey level differences up to this are treated as camera or codec noise. */
const maxNoise_levels = 6;

/** Motion measured as picture changes of the first camera, for episodes whose numbers show no motion. */
export interface PictureActivity {
  readonly motion: Motion;
  /** Times of scene cuts. */
  readonly cuts_s: readonly number[];
}

/**
 * Measures how much regions of the first camera's picture change over time, as motion, and lists its scene cuts;
 * `null` with fewer than two comparable frame pairs.
 */
export async function measurePictureActivity(
  { streams }: LaneEpisode,
  { frames, progress, signal }: Pick<LaneContext, 'frames' | 'progress' | 'signal'>,
): Promise<PictureActivity | null> {
  const times: number[] = [];
  const values: number[] = [];
  const cuts_s: number[] = [];
  let before: { readonly view: FrameFeatures; readonly time_s: number } | null = null;
  let camera: string | null = null;
  // A scene cut is not motion: repeat the previous activity across it.
  let activity: readonly number[] = Array.from({ length: regions.across * regions.down }, () => 0);
  for await (const batch of frames()) {
    signal.throwIfAborted();
    progress();
    for (const frame of batch.frames) {
      camera ??= frame.camera;
      const view = computeFeatures(frame);
      const change = before === null ? null : compareFrames(before.view, view);
      if (before !== null && change !== null && frame.time_s > before.time_s) {
        if (change.isCut) cuts_s.push(frame.time_s);
        else activity = regionActivity(before.view.grey, view.grey, frame.time_s - before.time_s);
        times.push(frame.time_s);
        values.push(...activity);
      }
      before = { view, time_s: frame.time_s };
    }
  }
  const stream = streams.find(({ id }) => id === camera);
  if (stream === undefined || times.length < 2) return null;
  return { motion: activityMotion(stream, times, values), cuts_s };
}

/** Returns the mean change of each region, in grey levels per second. */
function regionActivity(from: GreyImage, to: GreyImage, lasts_s: number): number[] {
  const sums = new Float64Array(regions.across * regions.down);
  const counts = new Float64Array(sums.length);
  for (let at = 0; at < to.values.length; at++) {
    const column = Math.floor(((at % to.width) * regions.across) / to.width);
    const row = Math.floor((Math.floor(at / to.width) * regions.down) / to.height);
    const part = row * regions.across + column;
    sums[part] += Math.max(0, Math.abs(to.values[at] - from.values[at]) - maxNoise_levels);
    counts[part]++;
  }
  return Array.from(sums, (sum, part) => sum / Math.max(1, counts[part]) / lasts_s);
}

/** Wraps the region activities as a numeric stream with the camera's id, and measures its motion. */
function activityMotion(camera: Stream, times: readonly number[], values: readonly number[]): Motion {
  const dims = regions.across * regions.down;
  const time_s = Float64Array.from(times);
  const { name, provenance } = clockOf(camera) ?? { name: 'frames', provenance: 'synthesised' as const };
  const stream: Stream = {
    ...{ id: camera.id, role: 'camera', modality: 'numeric', shape: [dims], names: regionNames },
    unit: { unit: 'levels/s', evidence: 'known_format', reason: 'differences of luma' },
    ...{ declared_rate_hz: null, sample_count: times.length },
    clocks: [{ name, provenance, time_s }],
    clock: { index: 0, reason: 'of the camera' },
    series: { values: Float64Array.from(values), dims },
  };
  const columns = regionNames.map((_, dimension) => ({ stream, dimension, nature: 'rate' as const }));
  return measureMotion({ role: 'camera', streams: [stream], time_s, columns });
}

const regionNames = ['upper', 'middle', 'lower'].flatMap((row) =>
  ['left', 'centre left', 'centre right', 'right'].map((column) => `image ${row} ${column}`),
);
