import type { Stream } from '#episode';
import type { Span } from './clock-features.ts';
import { widestRange } from './dimension-leaps.ts';
import { type FrozenRows, frozenRows } from './frozen-rows.ts';
import { movementWithin, rangeWithin, rowIn } from './movement.ts';
import type { StreamFeatures } from './stream-features.ts';

/** Runs that stand still while the other stream moves on. */
export interface FrozenWhile {
  readonly still: FrozenRows;
  /** Rows of the runs during which the other stream moved. */
  readonly rows: number;
  readonly runs: readonly Span[];
}

const leastRange = 0.05;
/** The other stream has moved when one of its dimensions crossed this share of its own range. */
const moved = 0.1;

export interface Moving {
  readonly stream: Stream;
  readonly features: StreamFeatures;
  /** Dimensions of hands and switches, which move by themselves while an arm rests. */
  readonly hands: ReadonlySet<number>;
}

/** Runs of at least `fewest` equal rows of one stream, and those during which `other` moved. */
export function frozenWhile(still: Moving, other: Moving | null, fewest: number): FrozenWhile {
  const series = still.stream.series!;
  const frozen = frozenRows(series, fewest);
  if (other === null || frozen.runs.length === 0) return { still: frozen, rows: 0, runs: [] };
  const floor = leastRange * widestRange(other.features);
  let rows = 0;
  const runs = frozen.runs.filter(({ from, to, size }) => {
    const first = rowIn(other.stream, still.stream, from);
    const last = rowIn(other.stream, still.stream, to);
    if (movementWithin(other.stream.series!, other.features, first, last, floor, other.hands) < moved)
      return false;
    rows += size;
    return true;
  });
  return { still: frozen, rows, runs };
}

/** One dimension that stands still while its partner in the other stream crosses a good part of its range. */
export interface StuckDimension {
  readonly dimension: number;
  readonly share: number;
  readonly run: Span;
}

const partnerMoved = 0.3;

/** The dimension stuck longest, for streams of equal dimensions; null without any. */
export function stuckDimension(still: Moving, other: Moving, fewest: number): StuckDimension | null {
  const { columns, dims, samples } = still.features;
  if (other.features.dims !== dims) return null;
  const floor = leastRange * widestRange(other.features);
  let best: StuckDimension | null = null;
  for (let d = 0; d < dims; d++) {
    const size = columns.run_length[d];
    if (
      size < fewest ||
      columns.non_finite[d] > 0 ||
      still.hands.has(d) ||
      (best !== null && size <= best.run.size)
    )
      continue;
    const range = other.features.maximum[d] - other.features.minimum[d];
    if (!(range > floor) || other.hands.has(d)) continue;
    const from = columns.run_from[d];
    const to = from + size - 1;
    const first = rowIn(other.stream, still.stream, from);
    const last = rowIn(other.stream, still.stream, to);
    if (rangeWithin(other.stream.series!, d, first, last) < partnerMoved * range) continue;
    best = { dimension: d, share: size / samples, run: { from, to, size } };
  }
  return best;
}
