/** Returns a number with its noun: `1 episode`, `2 episodes`. */
export const formatCount = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Formats US dollars, such as `1.50 USD`: to the cent, or to six decimals below one cent; `nothing` for 0. */
export function formatMoney(usd: number): string {
  if (usd === 0) return 'nothing';
  return `${usd >= 0.01 ? usd.toFixed(2) : Number(usd.toFixed(6))} USD`;
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes in decimal units with three significant digits, such as `3.4 MB`. */
export function formatSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
