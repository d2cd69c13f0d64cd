import { timesOf } from '#core/episode';
import type { LaneEpisode, LaneFrame } from '../../lane.ts';
import { evenTimes } from '../../vision/frames-near.ts';

/** A frame by its place. */
export type SampledFrame = Pick<LaneFrame, 'camera' | 'row' | 'time_s'>;

/** Frames of the first camera, evenly spread over an episode, by their stamps alone. */
export function sampledRows({ streams, facts }: LaneEpisode, count: number): SampledFrame[] {
  const camera = streams.find(({ role }) => role === 'camera');
  if (camera === undefined || camera.sample_count === 0) return [];
  const stamps = timesOf(camera);
  const rate_hz = camera.declared_rate_hz ?? 1;
  const timeOf = (row: number) => stamps?.[row] ?? row / rate_hz;
  const found = new Map<number, SampledFrame>();
  let row = 0;
  for (const time_s of evenTimes(0, facts.episode.duration_s, count)) {
    while (row < camera.sample_count - 1 && !(timeOf(row) >= time_s)) row++;
    found.set(row, { camera: camera.id, row, time_s: timeOf(row) });
  }
  return [...found.values()];
}
