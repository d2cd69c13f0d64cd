import type { Series } from '#core/episode';

/** Steps on one side of a bend that are looked at. */
const reach = 5;
/** Slower motion beside a leap does not explain it. */
const leastShare = 0.5;
const steps = new Float64Array(reach);

/**
 * Says whether a dimension goes on after a bend, or came to it, at the speed of the bend's own step: motion that starts,
 * stops or turns from one sample to the next, as that of a simulator without inertia. A leap is faster than the motion on
 * either side of it.
 */
export function keepsSpeed({ values, dims }: Series, dimension: number, row: number): boolean {
  const stepInto = (i: number) => Math.abs(values[i * dims + dimension] - values[(i - 1) * dims + dimension]);
  const samples = values.length / dims;
  const own = stepInto(row);
  const before = row - reach < 1 ? 0 : middle((k) => stepInto(row - 1 - k));
  const after = row + reach >= samples ? 0 : middle((k) => stepInto(row + 1 + k));
  return Math.max(before, after) >= leastShare * own;
}

function middle(step: (k: number) => number): number {
  for (let k = 0; k < reach; k++) steps[k] = step(k);
  return steps.sort()[reach >> 1];
}
