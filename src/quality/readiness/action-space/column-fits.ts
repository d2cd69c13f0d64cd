import { PairSums } from './pair-sums.ts';
import type { RowWindow, Signals } from './signals.ts';

/** By how many rows a state may follow its command. */
export const lags = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32] as const;
/** Rows that a change is summed over: sensor noise hides the change of one row and not that of sixteen. */
export const spans = [1, 2, 4, 8, 16] as const;
/** Chunk lengths that are looked for, in rows. */
export const chunkLengths: readonly number[] = Array.from({ length: 199 }, (_, i) => i + 2);

/** What one action column has to do with the state column beside it, summed over episodes. */
export interface ColumnFits {
  /** Action against the state `lags[k]` rows later. */
  readonly level: readonly PairSums[];
  /** Action against how far the state `lags[k]` rows later is from the episode's first. */
  readonly since_start: readonly PairSums[];
  /** Sum of `spans[w]` actions against the state's change over as many rows, `lags[k]` rows later: [w][k]. */
  readonly change: readonly (readonly PairSums[])[];
  /**
   * For each chunk length: how far the action jumps where a chunk would begin, beyond the steps around, against how far
   * the state has come since the chunk before: slope −1 where actions count from the chunk's first state.
   */
  readonly rebase: readonly PairSums[];
  /** Bends of the action against bends of the state: the state's own noise shows in what is counted from it, turned. */
  readonly bends: PairSums;
  /** For every row, how far the action jumps there beyond the steps around. */
  readonly jumps: PairSums;
  /** Steps from row to row of the state and of the action. */
  readonly steps: PairSums;
}

const sums = (count: number): PairSums[] => Array.from({ length: count }, () => new PairSums());

export function emptyFits(): ColumnFits {
  return {
    level: sums(lags.length),
    since_start: sums(lags.length),
    change: spans.map(() => sums(lags.length)),
    rebase: sums(chunkLengths.length),
    bends: new PairSums(),
    jumps: new PairSums(),
    steps: new PairSums(),
  };
}

/** Adds one episode's rows of an action column and a state column. */
export function addToFits(fits: ColumnFits, signals: Signals, action: number, state: number): void {
  const [a, s] = [signals.action[action], signals.state[state]];
  const since = s.map((value) => value - signals.origin[state]);
  const total = prefixSums(a);
  for (const window of signals.windows) {
    const length = window.to - window.from;
    for (let k = 0; k < lags.length; k++) {
      const count = length - lags[k];
      if (count < lags[k]) break;
      fits.level[k].addRun(s, window.from + lags[k], a, window.from, count);
      fits.since_start[k].addRun(since, window.from + lags[k], a, window.from, count);
      for (let w = 0; w < spans.length; w++) {
        const back = spans[w];
        // total[i] is the sum of the actions before row i.
        const at = window.from + back;
        fits.change[w][k].addRun(s, at + lags[k], total, at, count - back, back);
      }
    }
    addRebases(fits.rebase, a, s, window);
    fits.steps.addRun(s, window.from + 1, a, window.from + 1, length - 1, 1);
    for (let t = window.from + 2; t + 1 < window.to; t++) fits.jumps.add(0, jumpAt(a, t));
    for (let t = window.from + 1; t + 1 < window.to; t++)
      fits.bends.add(s[t + 1] - 2 * s[t] + s[t - 1], a[t + 1] - 2 * a[t] + a[t - 1]);
  }
}

function prefixSums(values: Float64Array): Float64Array {
  const out = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) out[i + 1] = out[i] + values[i];
  return out;
}

/** Fewer chunks than this in a window say nothing of their length. */
const leastChunks = 3;

function addRebases(
  rebase: readonly PairSums[],
  a: Float64Array,
  s: Float64Array,
  { from, to, first_row }: RowWindow,
): void {
  for (let c = 0; c < chunkLengths.length; c++) {
    const length = chunkLengths[c];
    if ((to - from) / length < leastChunks) break;
    // Chunks begin at multiples of their length, counted from the episode's first row.
    const begin = from + ((length - (first_row % length)) % length);
    for (let t = begin + length; t + 1 < to; t += length) rebase[c].add(s[t] - s[t - length], jumpAt(a, t));
  }
}

function jumpAt(a: Float64Array, t: number): number {
  return a[t] - a[t - 1] - (a[t - 1] - a[t - 2] + a[t + 1] - a[t]) / 2;
}

/** Adds what was seen in another episode. */
export function mergeFits(into: ColumnFits, other: ColumnFits): void {
  const all = ({ level, since_start, change, rebase, bends, jumps, steps }: ColumnFits): PairSums[] => [
    ...level,
    ...since_start,
    ...change.flat(),
    ...rebase,
    bends,
    jumps,
    steps,
  ];
  const others = all(other);
  all(into).forEach((sum, index) => {
    sum.merge(others[index]);
  });
}
