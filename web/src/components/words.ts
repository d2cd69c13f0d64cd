const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `1,234`. */
export const count = (value: number): string => grouped.format(value);

/** `1 episode`, `2 episodes`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A score between 0 and 1; a dash where there is none. */
export const score = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

/** As an instrument shows it: at most four significant digits. */
export const number = (value: number): string => String(+value.toPrecision(4));

export const percent = (share: number): string =>
  share > 0 && share < 0.001 ? '<0.1 %' : `${+(100 * share).toPrecision(3)} %`;

export const usd = (value: number): string =>
  `$${value.toFixed(value !== 0 && Math.abs(value) < 0.01 ? 4 : 2)}`;

export function duration(seconds: number): string {
  if (seconds < 60) return `${+seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (hours >= 1) return `${count(hours)} h ${String(minutes).padStart(2, '0')} min`;
  return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  const power = Math.min(4, Math.floor(Math.log10(size) / 3));
  return `${+(size / 1000 ** power).toPrecision(3)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time of the service, where the reader is. */
export const time = (at: string | null): string => (at === null ? '–' : moment.format(new Date(at)));

/** `object_labels` as people write it. */
export const spaced = (id: string): string => id.replaceAll(/[_-]/g, ' ');
