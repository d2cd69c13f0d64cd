import { type Stream, timesOf } from '#core/episode';

/** Means of a signal in steps of the same length; NaN where nothing was recorded. */
export interface Grid {
  readonly from_s: number;
  readonly step_s: number;
  readonly count: number;
}

/** Over the stamps of a stream; null: it has fewer than two. */
export function gridOver(stream: Stream, step_s: number): Grid | null {
  const times = timesOf(stream)?.filter(Number.isFinite);
  if (times === undefined || times.length < 2) return null;
  const from_s = times.reduce((least, time) => Math.min(least, time));
  const to_s = times.reduce((most, time) => Math.max(most, time));
  const count = Math.min(mostSteps, Math.ceil((to_s - from_s) / step_s));
  return count < 2 ? null : { from_s, step_s, count };
}

/** Some two days of steps of a fifth of a second. */
const mostSteps = 1e6;

/** One number of a stream, averaged step by step; a step without a row has what the one before has. */
export function onGrid(stream: Stream, dimension: number, { from_s, step_s, count }: Grid): Float64Array {
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

/** Mean over so many steps before and after. */
export function smoothed(values: Float64Array, around: number): Float64Array {
  return values.map((_, at) => {
    const own = values.subarray(Math.max(0, at - around), at + around + 1);
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  });
}

/** A span in which one thing is the case. */
export interface Run<Label> {
  readonly from_s: number;
  readonly to_s: number;
  readonly label: Label;
}

/** Steps of one label side by side; a run that is shorter than `least_s` goes to the one before, or to the one after it. */
export function runsOf<Label>(
  labels: readonly Label[],
  { from_s, step_s }: Grid,
  least_s: number,
): readonly Run<Label>[] {
  const runs: { label: Label; steps: number }[] = [];
  for (const label of labels) {
    const last = runs.at(-1);
    if (last?.label === label) last.steps++;
    else runs.push({ label, steps: 1 });
  }
  const kept: { label: Label; steps: number }[] = [];
  let early = 0;
  for (const { label, steps } of runs) {
    const last = kept.at(-1);
    if (last !== undefined && (last.label === label || steps * step_s < least_s)) last.steps += steps;
    else if (last === undefined && steps * step_s < least_s) early += steps;
    else kept.push({ label, steps: steps + (last === undefined ? early : 0) });
  }
  let at = 0;
  return kept.map(({ label, steps }) => {
    const run = { from_s: from_s + at * step_s, to_s: from_s + (at + steps) * step_s, label };
    at += steps;
    return run;
  });
}

/** What is the case at a time; null: before the first run, or after the last. */
export const labelAt = <Label>(runs: readonly Run<Label>[], at_s: number): Label | null =>
  runs.find(({ from_s, to_s }) => at_s >= from_s && at_s < to_s)?.label ?? null;
