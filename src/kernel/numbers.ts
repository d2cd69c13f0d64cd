/**
 * Rounds to `digits` significant decimal digits. Whatever goes into a receipt passes through here, so that the last
 * bits of a sum, which may differ between processors, never reach the hash.
 */
export function significant(value: number, digits = 6): number {
  if (value === 0 || !Number.isFinite(value)) return value === 0 ? 0 : value;
  const magnitude = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  if (magnitude < 0) {
    const unit = 10 ** -magnitude;
    return Math.round(value / unit) * unit;
  }
  const unit = 10 ** Math.min(magnitude, 300);
  return Math.round(value * unit) / unit;
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
