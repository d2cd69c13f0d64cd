/** `1 episode`, `2 episodes`. */
export const counted = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Money, to the cent, or to the sixth place where it is less than one. */
export function money(usd: number): string {
  if (usd === 0) return 'nothing';
  return `${usd >= 0.01 ? usd.toFixed(2) : Number(usd.toFixed(6))} USD`;
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Decimal units, three digits. */
export function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
