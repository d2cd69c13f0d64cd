const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `1,234`. */
export const count = (value: number): string => grouped.format(value);

/** `1 episode`, `2 episodes`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A share of 1 as percent. */
export const percent = (share: number): string =>
  share > 0 && share < 0.001 ? '<0.1 %' : `${+(100 * share).toPrecision(3)} %`;

/** A score between 0 and 1; a dash where there is none. */
export const score = (value: number | null): string =>
  value === null || Number.isNaN(value) ? '–' : value.toFixed(2);

/** As an instrument shows it: at most `digits` significant, an exponent only where it cannot be avoided. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4))
    return value.toExponential(Math.min(2, digits - 1)).replace('-', '−');
  return String(+value.toPrecision(digits)).replace('-', '−');
}

/** At most six characters or so, for the margin of a plot. */
export function shortNumber(value: number): string {
  const text = number(value, 3);
  return text.length > 6 ? number(value, 1) : text;
}

/** Seconds as people say them. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${+seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (hours >= 1) return `${count(hours)} h ${String(minutes).padStart(2, '0')} min`;
  return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** `episode_too_short` as words. */
export const words = (code: string): string => code.replaceAll('_', ' ');
