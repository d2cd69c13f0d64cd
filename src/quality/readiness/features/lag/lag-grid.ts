import { clockOf, type Stream, timesOf } from '#core/episode';
import { columnsOf } from '../columns/columns.ts';
import { lowerBound } from '../movement.ts';
import type { StreamFeatures } from '../stream-features.ts';

/** A slower grid than this is not needed to place a lag, and keeps a fast stream within reach. */
const gridRate_hz = 40;

/** Common steps of both streams. */
export interface Grid {
  readonly length: number;
  readonly step_s: number;
  readonly from_s: number;
  /** Rows a step where both streams share rows; 0: by time. */
  readonly stride: number;
}

/** Steps of the slower stream, whole rows where both share rows; null where their times do not tell how they lie. */
export function gridOf(
  action: Stream,
  state: Stream,
  same_rows: boolean,
  ofAction: StreamFeatures,
  ofState: StreamFeatures,
): Grid | null {
  const declared = state.declared_rate_hz ?? action.declared_rate_hz;
  if (same_rows) {
    const step_s = ofState.median_step_s ?? (declared === null ? 0 : 1 / declared);
    const stride = step_s > 0 ? Math.max(1, Math.round(1 / gridRate_hz / step_s)) : 1;
    return { length: Math.floor(ofState.samples / stride), step_s: step_s * stride, from_s: 0, stride };
  }
  const [a, s] = [ofAction.clock, ofState.clock];
  if (a === null || s === null || a.median_step_s === 0 || s.median_step_s === 0) return null;
  if (clockOf(action)?.provenance === 'synthesised' || clockOf(state)?.provenance === 'synthesised')
    return null;
  const step_s = Math.max(a.median_step_s, s.median_step_s, 1 / gridRate_hz);
  const from_s = Math.max(a.first_s, s.first_s);
  const to_s = Math.min(a.last_s, s.last_s);
  return { length: Math.max(0, Math.floor((to_s - from_s) / step_s)), step_s, from_s, stride: 0 };
}

/** Writes a dimension's values at the steps of the grid into `out`, beginning at `from`. */
export function sample(stream: Stream, d: number, grid: Grid, out: Float64Array, from: number): void {
  const columns = columnsOf(stream.series!);
  const { buffer } = columns;
  const base = columns.at(d);
  if (grid.stride > 0) {
    for (let i = 0; i < grid.length; i++) out[from + i] = buffer[base + i * grid.stride];
    return;
  }
  const times = timesOf(stream)!;
  let row = Math.max(0, lowerBound(times, grid.from_s) - 1);
  for (let i = 0; i < grid.length; i++) {
    const at = grid.from_s + i * grid.step_s;
    while (row + 1 < times.length && times[row + 1] <= at) row++;
    out[from + i] = buffer[base + row];
  }
}
