import type { ModelSurface } from '#client';

export {
  caseTitle,
  checkTitle,
  codeTitle,
  count,
  duration,
  kindTitle,
  layerTitle,
  measureText,
  metricTitle,
  number,
  percent,
  plural,
  requirementTitle,
  score,
  strategyTitle,
  targetTitle,
  unitLabel,
} from '#quality/report/views';

/** Formats dollars with two decimals, amounts below one cent with four. */
export const usd = (value: number): string =>
  `$${value.toFixed(value !== 0 && Math.abs(value) < 0.01 ? 4 : 2)}`;

/** Formats a size in decimal units with three digits: `12.3 MB`. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  const power = Math.min(4, Math.floor(Math.log10(size) / 3));
  return `${+(size / 1000 ** power).toPrecision(3)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a time of the service in the user's time zone. */
export const time = (at: string | null): string => (at === null ? '–' : moment.format(new Date(at)));

/** States of a model's weights, in words. */
export const installedText: Readonly<Record<ModelSurface['options'][number]['installed'], string>> = {
  bundled: 'bundled',
  installed: 'installed',
  files_present: 'downloaded, not tested',
  unusable: 'downloaded, but does not run',
  absent: 'not installed',
  no_weights_needed: 'no weights needed',
  endpoint: 'on your own server',
};

/** Replaces underscores and hyphens of an id by spaces. */
export const spaced = (id: string): string => id.replaceAll(/[_-]/g, ' ');
