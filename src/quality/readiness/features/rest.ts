import type { Series } from '#core/episode';
import { columnsOf } from './columns/columns.ts';
import type { StreamFeatures } from './stream-features.ts';

const parts = 40;
const leastRows = 2 * parts;
/** A dimension that stays within this share of its range, or of the widest, rests: the noise of a sensor is no motion. */
const stays = { own: 0.015, widest: 0.006 } as const;
/** Dimensions with less than this share of the widest range tell noise, not motion. */
const leastRange = 0.05;
const moved = new Uint8Array(parts);

/**
 * Share of the time, in fortieths of the stream, during which no dimension moves by more than 1.5 % of its range or
 * 0.6 % of the widest. Null where it is too short, or nothing moves at all.
 */
export function restOf(series: Series, { columns, samples, dims }: StreamFeatures): number | null {
  if (samples < leastRows) return null;
  const widest = secondWidest(dims, (d) => columns.maximum[d] - columns.minimum[d]);
  if (!(widest > 0)) return null;
  moved.fill(0);
  const columnCopies = columnsOf(series);
  for (let d = 0; d < dims; d++) {
    const range = columns.maximum[d] - columns.minimum[d];
    if (range > leastRange * widest)
      markMotion(
        columnCopies.buffer,
        columnCopies.at(d),
        samples,
        Math.max(stays.own * range, stays.widest * widest),
      );
  }
  let resting = 0;
  for (let part = 0; part < parts; part++) if (moved[part] === 0) resting++;
  return resting / parts;
}

/** The widest may be a gripper, on a scale of its own. */
export function secondWidest(dims: number, rangeOf: (d: number) => number): number {
  let first = 0;
  let second = 0;
  for (let d = 0; d < dims; d++) {
    const range = rangeOf(d);
    if (range > first) {
      second = first;
      first = range;
    } else if (range > second) second = range;
  }
  return second > 0 ? second : first;
}

/** Stops looking into a part as soon as it has moved. */
function markMotion(x: Float64Array, from: number, samples: number, limit: number): void {
  for (let part = 0; part < parts; part++) {
    if (moved[part] !== 0) continue;
    const end = from + Math.floor(((part + 1) * samples) / parts);
    let i = from + Math.floor((part * samples) / parts);
    let low = x[i];
    let high = low;
    for (i++; i < end; i++) {
      const value = x[i];
      if (value < low) low = value;
      else if (value > high) high = value;
    }
    if (high - low > limit) moved[part] = 1;
  }
}
