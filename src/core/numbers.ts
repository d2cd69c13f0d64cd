/** 10^0 to 10^22. A table, because computing the power would be the slowest part of `significant`. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * Rounds a number to `digits` significant decimal digits (default 6); NaN and infinities are returned unchanged. All
 * numbers in receipts are rounded by it, so that the last bits of a sum, which differ between processors, never reach a hash.
 */
export function significant(value: number, digits = 6): number {
  if (value === 0 || !Number.isFinite(value)) return value === 0 ? 0 : value;
  const magnitude = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  // Powers of ten are exact up to 10^22, and one rounding of an exact ratio prints short.
  if (magnitude > 22 || magnitude < -22) return Number(value.toPrecision(digits));
  if (magnitude < 0) {
    const unit = powersOfTen[-magnitude];
    return Math.round(value / unit) * unit;
  }
  const unit = powersOfTen[magnitude];
  const rounded = Math.round(value * unit) / unit;
  return rounded === 0 ? 0 : rounded;
}

/** Limits `value` to the range from `low` to `high`, both inclusive. */
export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/**
 * Returns at most `maxItems` (at least 2) items, evenly spaced and in order, always with the first and the last; a
 * shorter list unchanged.
 */
export function sampleEvenly<Item>(items: readonly Item[], maxItems: number): readonly Item[] {
  if (items.length <= maxItems) return items;
  return Array.from(
    { length: maxItems },
    (_, i) => items[Math.round((i * (items.length - 1)) / (maxItems - 1))],
  );
}
