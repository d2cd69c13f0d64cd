import { armedSpans, type Episode, type Stream, timesOf } from '#core/episode';

/** A run of rows that all are so, both ends included. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Rows of a stream in flight: while armed, where the recording says when that was; else all of them. */
export function flightRows({ events, duration_s }: Episode, stream: Stream): Uint8Array {
  const rows = new Uint8Array(stream.sample_count).fill(1);
  const times = timesOf(stream);
  const spans = armedSpans(events, duration_s);
  if (times === null || spans === null) return rows;
  for (let row = 0; row < rows.length; row++) if (!liesIn(spans, times[row])) rows[row] = 0;
  return rows;
}

/** `spans` follow one another, as often as somebody armed and disarmed: halved, not walked, for every row. */
function liesIn(spans: readonly (readonly [number, number])[], time_s: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle][1] < time_s) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && time_s >= spans[low][0] && time_s <= spans[low][1];
}

/** Runs of rows that are wrong (1). Rows that say nothing (2) neither begin a run nor end one. */
export function runsOf(state: Uint8Array): Run[] {
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

/** The longest of some runs in seconds. */
export function longestRun_s(stream: Stream, runs: readonly Run[]): number {
  const times = timesOf(stream);
  if (times === null) return 0;
  return runs.reduce((most, { from, to }) => Math.max(most, times[to] - times[from]), 0);
}

/** A dimension by its name; null where the stream has none such. */
export function columnOf({ names, series }: Stream, pattern: RegExp): ((row: number) => number) | null {
  const at = names?.findIndex((name) => pattern.test(name)) ?? -1;
  if (at < 0 || series === undefined) return null;
  const { values, dims } = series;
  return (row) => values[row * dims + at];
}
