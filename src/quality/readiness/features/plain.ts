import { significant } from '#core';

/** For receipts, which carry no NaN and no infinities: six significant digits, beyond ±1e300 that, 0 for NaN. */
export function plain(value: number, digits = 6): number {
  if (value >= -1e300 && value <= 1e300) return significant(value, digits) + 0;
  return value > 0 ? 1e300 : value < 0 ? -1e300 : 0;
}
