import type { JsonValue } from '#core';
import { flatNumbers, type StatisticsEntry } from '../draft/statistics-entry.ts';

/** In what way an entry cannot be that of pictures, or is not that of these. */
export interface PicturesWrong {
  readonly kind: 'missing' | 'malformed' | 'not_a_number' | 'scale' | 'impossible' | 'stale';
  readonly before: string;
}

const names = ['min', 'max', 'mean', 'std'] as const;
/** A mean over rounded pictures may pass 1 by a hair. */
const most = 1.01;
/** Values are rounded on their way through tables. */
const slack = 1e-3;

/** What shows without a look at the pictures; null where nothing does. */
export function wrongByItself(entry: StatisticsEntry | undefined): PicturesWrong | null {
  if (entry === undefined) return { kind: 'missing', before: 'absent' };
  const lists = names.map((name) => flatNumbers(entry[name]));
  for (const [at, list] of lists.entries()) {
    if (list === null) return { kind: 'missing', before: `no ${names[at]}` };
    if (!isShaped(entry[names[at]])) return { kind: 'malformed', before: `${names[at]} is not [3, 1, 1]` };
    if (!list.every(Number.isFinite)) return { kind: 'not_a_number', before: `${names[at]} is no number` };
  }
  if (!((flatNumbers(entry.count)?.[0] ?? 0) > 0)) return { kind: 'missing', before: 'no count' };
  const [min, max, mean] = lists as number[][];
  const largest = Math.max(...max, ...mean);
  if (largest > most) return { kind: 'scale', before: `values up to ${short(largest)}` };
  return outOfOrder(entry, { min, max, mean });
}

/** How far a decoded picture may lie from the one that the recorder measured before it encoded, of 0 to 1. */
const lossy = 0.05;

/** Against what the pictures give. */
export function wrongBeside(entry: StatisticsEntry, measured: StatisticsEntry): PicturesWrong | null {
  for (const name of ['mean', 'std'] as const) {
    const [said, found] = [entry, measured].map((one) => flatNumbers(one[name]) ?? []);
    const channel = said.findIndex((value, at) => !(Math.abs(value - found[at]) <= lossy));
    if (channel < 0) continue;
    return { kind: 'stale', before: `${name} of channel ${channel} ${short(said[channel])}` };
  }
  return null;
}

function outOfOrder(
  entry: StatisticsEntry,
  { min, max, mean }: Readonly<Record<'min' | 'max' | 'mean', readonly number[]>>,
): PicturesWrong | null {
  const levels = Object.keys(entry)
    .filter((name) => /^q\d+$/.test(name))
    .sort();
  const rising = [
    ['min', min],
    ...levels.map((name) => [name, flatNumbers(entry[name]) ?? []] as const),
    ['max', max],
  ] as const;
  for (const steps of [
    rising,
    [
      ['min', min],
      ['mean', mean],
      ['max', max],
    ] as const,
  ])
    for (let at = 1; at < steps.length; at++) {
      const channel = min.findIndex((_, dim) => !(steps[at - 1][1][dim] <= steps[at][1][dim] + slack));
      if (channel < 0) continue;
      const [lower, upper] = [steps[at - 1][0], steps[at][0]];
      return { kind: 'impossible', before: `${lower} of channel ${channel} above ${upper}` };
    }
  return null;
}

/** Three channels, each in two brackets of its own: the library pools nothing else. */
function isShaped(value: JsonValue | undefined): boolean {
  const isOne = (part: JsonValue): part is readonly JsonValue[] => Array.isArray(part) && part.length === 1;
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    value.every((channel) => isOne(channel) && isOne(channel[0]) && !Array.isArray(channel[0][0]))
  );
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
