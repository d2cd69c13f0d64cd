import { clockOf, type Stream } from '#core/episode';
import type { LaneContext, LaneEpisode } from '../../lane.ts';
import type { Grey } from '../../looks/grey.ts';
import { changeBetween, type View, viewOf } from '../../looks/view.ts';
import { type Motion, motionOf } from '../../motion/motion.ts';

/** Parts of the picture that are looked at one by one. */
const parts = { across: 4, down: 3 } as const;
/** Levels up to which a difference is noise of the camera or the codec. */
const noise = 6;

/** How the first camera's picture changes, where no numbers tell how anything moves. */
export interface PictureActivity {
  readonly motion: Motion;
  /** Begins of other scenes. */
  readonly cuts_s: readonly number[];
}

/** Null: fewer than two frames of one size can be decoded. */
export async function pictureActivity(
  { streams }: LaneEpisode,
  { frames, progress, signal }: Pick<LaneContext, 'frames' | 'progress' | 'signal'>,
): Promise<PictureActivity | null> {
  const times: number[] = [];
  const values: number[] = [];
  const cuts_s: number[] = [];
  let before: { readonly view: View; readonly time_s: number } | null = null;
  let camera: string | null = null;
  // Another scene is no motion: what was before holds over it.
  let activity: readonly number[] = Array.from({ length: parts.across * parts.down }, () => 0);
  for await (const batch of frames()) {
    signal.throwIfAborted();
    progress();
    for (const frame of batch.frames) {
      camera ??= frame.camera;
      const view = viewOf(frame);
      const change = before === null ? null : changeBetween(before.view, view);
      if (before !== null && change !== null && frame.time_s > before.time_s) {
        if (change.isCut) cuts_s.push(frame.time_s);
        else activity = activityOf(before.view.grey, view.grey, frame.time_s - before.time_s);
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

/** Levels a second by which each part changes on average. */
function activityOf(from: Grey, to: Grey, lasts_s: number): number[] {
  const sums = new Float64Array(parts.across * parts.down);
  const counts = new Float64Array(sums.length);
  for (let at = 0; at < to.values.length; at++) {
    const column = Math.floor(((at % to.width) * parts.across) / to.width);
    const row = Math.floor((Math.floor(at / to.width) * parts.down) / to.height);
    const part = row * parts.across + column;
    sums[part] += Math.max(0, Math.abs(to.values[at] - from.values[at]) - noise);
    counts[part]++;
  }
  return Array.from(sums, (sum, part) => sum / Math.max(1, counts[part]) / lasts_s);
}

/** The parts as dimensions of a stream that has the camera's name. */
function activityMotion(camera: Stream, times: readonly number[], values: readonly number[]): Motion {
  const dims = parts.across * parts.down;
  const time_s = Float64Array.from(times);
  const { name, provenance } = clockOf(camera) ?? { name: 'frames', provenance: 'synthesised' as const };
  const stream: Stream = {
    ...{ id: camera.id, role: 'camera', modality: 'numeric', shape: [dims], names: partNames },
    unit: { unit: 'levels/s', evidence: 'known_format', reason: 'differences of luma' },
    ...{ declared_rate_hz: null, sample_count: times.length },
    clocks: [{ name, provenance, time_s }],
    clock: { index: 0, reason: 'of the camera' },
    series: { values: Float64Array.from(values), dims },
  };
  const columns = partNames.map((_, dimension) => ({ stream, dimension, nature: 'rate' as const }));
  return motionOf({ role: 'camera', streams: [stream], time_s, columns });
}

const partNames = ['upper', 'middle', 'lower'].flatMap((row) =>
  ['left', 'centre left', 'centre right', 'right'].map((column) => `picture ${row} ${column}`),
);
