import { type Stream, timesOf } from '#core/episode';

/** Grid of equal time steps. */
export interface Grid {
  readonly from_s: number;
  readonly step_s: number;
  readonly count: number;
}

/**
 * Returns a grid of steps of `step_s` over a stream's timestamps, cut off after `maxSteps`; `null` with fewer than
 * two finite stamps or steps.
 */
export function createGrid(stream: Stream, step_s: number): Grid | null {
  const times = timesOf(stream)?.filter(Number.isFinite);
  if (times === undefined || times.length < 2) return null;
  const from_s = times.reduce((least, time) => Math.min(least, time));
  const to_s = times.reduce((most, time) => Math.max(most, time));
  const count = Math.min(maxSteps, Math.ceil((to_s - from_s) / step_s));
  return count < 2 ? null : { from_s, step_s, count };
}

/** Two days in steps of 0.2 s, roughly. */
const maxSteps = 1e6;

/**
 * Returns the mean of one dimension of a stream in each step of the grid; steps without a finite value repeat the
 * previous mean, NaN before the first.
 */
export function resample(stream: Stream, dimension: number, { from_s, step_s, count }: Grid): Float64Array {
  const sums = new Float64Array(count);
  const rows = new Float64Array(count);
  const times = timesOf(stream);
  const { values, dims } = stream.series ?? { values: new Float64Array(0), dims: 1 };
  for (let row = 0; times !== null && row < times.length; row++) {
    const step = Math.floor((times[row] - from_s) / step_s);
    const value = Number(values[row * dims + dimension]);
    if (!(step >= 0 && step < count) || !Number.isFinite(value)) continue;
    sums[step] += value;
    rows[step]++;
  }
  let latest = Number.NaN;
  return sums.map((sum, step) => {
    if (rows[step] > 0) latest = sum / rows[step];
    return latest;
  });
}

/** Returns the moving average over `around` steps on both sides, fewer at the ends. */
export function movingAverage(values: Float64Array, around: number): Float64Array {
  return values.map((_, at) => {
    const own = values.subarray(Math.max(0, at - around), at + around + 1);
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  });
}

/** A time range with a label. */
export interface LabelledRun<Label> {
  readonly from_s: number;
  readonly to_s: number;
  readonly label: Label;
}

/**
 * Groups equal consecutive labels into runs with times, and merges runs shorter than `minRun_s` into the previous one
 * (at the start, the next); empty if none is long enough.
 */
export function groupRuns<Label>(
  labels: readonly Label[],
  { from_s, step_s }: Grid,
  minRun_s: number,
): readonly LabelledRun<Label>[] {
  const runs: { label: Label; steps: number }[] = [];
  for (const label of labels) {
    const last = runs.at(-1);
    if (last?.label === label) last.steps++;
    else runs.push({ label, steps: 1 });
  }
  const merged: { label: Label; steps: number }[] = [];
  let leadingSteps = 0;
  for (const { label, steps } of runs) {
    const last = merged.at(-1);
    if (last !== undefined && (last.label === label || steps * step_s < minRun_s)) last.steps += steps;
    else if (last === undefined && steps * step_s < minRun_s) leadingSteps += steps;
    else merged.push({ label, steps: steps + (last === undefined ? leadingSteps : 0) });
  }
  let at = 0;
  return merged.map(({ label, steps }) => {
    const run = { from_s: from_s + at * step_s, to_s: from_s + (at + steps) * step_s, label };
    at += steps;
    return run;
  });
}

/** Returns the label at a time; `null` outside all runs. */
export const labelAt = <Label>(runs: readonly LabelledRun<Label>[], at_s: number): Label | null =>
  runs.find(({ from_s, to_s }) => at_s >= from_s && at_s < to_s)?.label ?? null;
