import type { Series } from '#core/episode';
import { keepLargest, type Span } from '../clocks/clock-features.ts';
import { samplesOf } from './columns.ts';

/** Runs of rows in which no dimension changes at all. Sensors are noisy: a resting arm does not repeat exactly. */
export interface FrozenRows {
  /** Rows inside runs of at least `fewest` rows, and how many such runs there are. */
  readonly rows: number;
  readonly count: number;
  /** Rows equal to the one before. */
  readonly repeated: number;
  /** The longest runs, at most 8, in order of time; `size` counts rows. */
  readonly runs: readonly Span[];
}

export function frozenRows(series: Series, fewest: number): FrozenRows {
  const { values, dims } = series;
  const samples = samplesOf(series);
  const runs: Span[] = [];
  let rows = 0;
  let count = 0;
  let changed = 0;
  let start = 0;
  for (let i = 1; i <= samples; i++) {
    if (i < samples && repeats(values, dims, i)) continue;
    const length = i - start;
    changed++;
    if (length >= fewest) {
      rows += length;
      count++;
      keepLargest(runs, { from: start, to: i - 1, size: length });
    }
    start = i;
  }
  runs.sort((a, b) => a.from - b.from);
  return { rows, count, repeated: samples - changed, runs };
}

function repeats(values: Series['values'], dims: number, row: number): boolean {
  const at = row * dims;
  for (let d = 0; d < dims; d++) if (values[at + d] !== values[at + d - dims]) return false;
  return true;
}
