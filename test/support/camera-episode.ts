import type { Kind, Stream } from '#core/episode';
import type { LaneEpisode, LaneFrame } from '#labels/annotation';
import { episodeOf, numbers } from '#test/annotation/known-motion';

/** An episode that is nothing but a camera. */
export function cameraEpisode(frames: readonly LaneFrame[], kind: Kind = 'egocentric'): LaneEpisode {
  const time_s = Float64Array.from(frames, (frame) => frame.time_s);
  const { series: _, ...rest } = numbers('front', 'camera', { values: new Float64Array(0), dims: 1 }, time_s);
  const camera: Stream = { ...rest, modality: 'video', sample_count: frames.length };
  return episodeOf([camera], kind, frames.at(-1)?.time_s ?? 0);
}
