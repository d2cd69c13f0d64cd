import type { TrainingEpisode } from '../../../shared/write/training-episode.ts';
import type { KeptEpisode } from '../kept-episode.ts';

/** When rows of an episode are: by the clock that layers count on, and by the stamps of the new set. */
export interface RowTimes {
  readonly recorded_s: Float64Array;
  readonly stamp_s: (row: number) => number;
}

/** Of rows that are copied: `rate_hz` is that of the new set. An episode that is whole keeps its stamps. */
export function copiedTimes(
  { times, rate_hz: source_hz }: TrainingEpisode,
  { first, picked, whole, rows }: Pick<KeptEpisode, 'first' | 'picked' | 'whole' | 'rows'>,
  rate_hz: number,
): RowTimes {
  const recorded_s = Float64Array.from({ length: rows }, (_, row) => {
    const place = picked?.[row] ?? first + row;
    return times?.[place] ?? place / source_hz;
  });
  return { recorded_s, stamp_s: (row) => (whole ? recorded_s[row] : row / rate_hz) };
}

/** Of rows that are laid over recorded streams; without a clock they lie evenly. */
export function laidTimes(time_s: Float64Array, rate_hz: number): RowTimes {
  const stamp_s = (row: number) => row / rate_hz;
  const isTimed = time_s.every((time) => Number.isFinite(time));
  return { recorded_s: isTimed ? time_s : time_s.map((_, row) => stamp_s(row)), stamp_s };
}
