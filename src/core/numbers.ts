/** Looked up, since `significant` is called dozens of times an episode and a power costs more than all else in it. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * Rounds to `digits` significant decimal digits. Whatever goes into a receipt passes through here, so that the last
 * bits of a sum, which may differ between processors, never reach the hash.
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

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** At most `most` of the items, in their order and as far apart as they can be; `most` is two or more. */
export function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))]);
}
