const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Formats an integer with thousands separators, as in `1,234`. */
export const count = (value: number): string => grouped.format(value);

/** Formats a count with its noun, as in `1 episode`, `2 episodes`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Formats a fraction (0 to 1) as per cent with three significant digits, as in `12.5 %`; `<0.1 %` for tiny ones. */
export const percent = (share: number): string =>
  share > 0 && share < 0.001 ? '<0.1 %' : `${+(100 * share).toPrecision(3)} %`;

/** Formats a score with two decimals; a dash for `null` and NaN. */
export const score = (value: number | null): string =>
  value === null || Number.isNaN(value) ? '–' : value.toFixed(2);

/**
 * Formats a number with at most `digits` significant digits, with an exponent from 1e6 and below 1e-4; NaN and
 * infinities as `NaN` and `Infinity`.
 */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4))
    return value.toExponential(Math.min(2, digits - 1)).replace('-', '−');
  return String(+value.toPrecision(digits)).replace('-', '−');
}

/** Formats a number in about six characters, for the margin of a plot. */
export function shortNumber(value: number): string {
  const text = number(value, 3);
  return text.length > 6 ? number(value, 1) : text;
}

/** Formats a duration in seconds, as in `2.5 s`, `3 min 20 s` or `1 h 05 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${+seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (hours >= 1) return `${count(hours)} h ${String(minutes).padStart(2, '0')} min`;
  return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** Replaces the underscores of a code by spaces: `episode_too_short` becomes `episode too short`. */
export const words = (code: string): string => code.replaceAll('_', ' ');

/** Decision on an episode. */
export type Decision = 'accept' | 'review' | 'reject';

/** All decisions, best first. */
export const decisions: readonly Decision[] = ['accept', 'review', 'reject'];
/** Display names of the decisions. */
export const decisionWords: Readonly<Record<Decision, string>> = {
  accept: 'Accept',
  review: 'Review',
  reject: 'Reject',
};

const octagon = 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM8 4.6v4.2M8 10.6v1.2';

/** Icons as SVG paths of 16 by 16; the shape alone shows the meaning, colour is added. */
export const glyphPaths = {
  accept: 'M3.2 8.4 6.6 11.8 12.8 4.6',
  review: 'M8 3.2v6M8 11.6v1.4',
  reject: 'M4 4l8 8M12 4l-8 8',
  blocking: octagon,
  warning: 'M8 1.8 15 14H1zM8 6v4M8 11.4v1',
  error: octagon,
  info: 'M8 1.5a6.5 6.5 0 1 0 .01 0zM8 7v4.4M8 4.2v1.2',
} as const;

/** Names of the icons in `glyphPaths`. */
export type GlyphName = keyof typeof glyphPaths;
