import { significant } from '#core';
import type { Series } from '#core/episode';

/** Least and greatest value of one dimension, in the unit of the values; [0, 0] where it holds no number. */
export function observedRange({ values, dims }: Series, dimension: number): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = dimension; at < values.length; at += dims) {
    const value = values[at];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high >= low ? [significant(low), significant(high)] : [0, 0];
}
