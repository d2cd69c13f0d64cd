import { armedSpans, type Episode, type Stream, timesOf } from '#core/episode';

/** A run of rows, both ends included. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns one number per row of the stream: 1 while the aircraft is armed, else 0; all 1 if arming is not recorded or
 * the stream has no clock.
 */
export function maskFlightRows({ events, duration_s }: Episode, stream: Stream): Uint8Array {
  const rows = new Uint8Array(stream.sample_count).fill(1);
  const times = timesOf(stream);
  const spans = armedSpans(events, duration_s);
  if (times === null || spans === null) return rows;
  for (let row = 0; row < rows.length; row++) if (!isWithin(spans, times[row])) rows[row] = 0;
  return rows;
}

/**
 * Returns `true` if a time lies in one of the spans, which must be sorted. Binary search, since there may be
 * many.
 */
function isWithin(spans: readonly (readonly [number, number])[], time_s: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle][1] < time_s) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && time_s >= spans[low][0] && time_s <= spans[low][1];
}

/**
 * Returns the runs of rows with state 1 as [first, last] row, both inclusive; 0 ends a run, unknown rows (state 2) do
 * not.
 */
export function findActiveRuns(state: Uint8Array): Run[] {
  const runs: Run[] = [];
  let from = -1;
  let to = -1;
  for (let row = 0; row < state.length; row++) {
    if (state[row] === 1) {
      if (from < 0) from = row;
      to = row;
    } else if (state[row] === 0 && from >= 0) {
      runs.push({ from, to });
      from = -1;
    }
  }
  if (from >= 0) runs.push({ from, to });
  return runs;
}

/** Returns the duration of the longest run in seconds; 0 without runs or a clock. */
export function computeLongestRun_s(stream: Stream, runs: readonly Run[]): number {
  const times = timesOf(stream);
  if (times === null) return 0;
  return runs.reduce((most, { from, to }) => Math.max(most, times[to] - times[from]), 0);
}

/** Returns a function that reads, at a row, the first dimension whose name matches; `null` if there is none. */
export function findColumn({ names, series }: Stream, pattern: RegExp): ((row: number) => number) | null {
  const at = names?.findIndex((name) => pattern.test(name)) ?? -1;
  if (at < 0 || series === undefined) return null;
  const { values, dims } = series;
  return (row) => values[row * dims + at];
}
