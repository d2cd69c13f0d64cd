import type { TrainingVideo } from '../../shared/write/training-episode.ts';

/** Frames of some rows only. */
export function part(video: TrainingVideo, first: number, until: number, rate_hz: number): TrainingVideo {
  const from_s = video.from_s + first / rate_hz;
  return { ...video, from_s, until_s: from_s + (until - first - 0.5) / rate_hz };
}

/** Shown earlier or later, under another name. */
export function moved(video: TrainingVideo, key: string, by_s: number): TrainingVideo {
  return { ...video, key, from_s: video.from_s + by_s, until_s: video.until_s + by_s };
}
