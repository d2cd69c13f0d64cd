import type { Severity } from '#core/episode';
import { rangesText } from './ranges.ts';

/** One thing that is wrong with some episodes of a dataset, however many they are. */
export interface Issue {
  readonly code: string;
  readonly severity: Severity;
  /** A check raised it, or a reader found it. */
  readonly source: 'flag' | 'finding';
  /** Index of the dataset. */
  readonly dataset: number;
  /** Numbers of the episodes in their dataset, ascending. */
  readonly episodes: readonly number[];
  /** What was said of one of them; null where words were not kept. */
  readonly example: string | null;
  /** What to do about all of them. */
  readonly advice: string;
}

const fewestCharacters = 16;

/** Whether what stands behind the first colon of a text is in another, too. */
export function saysLess(text: string | null, other: string | null): boolean {
  if (text === null || other === null) return false;
  const tail = text.slice(text.indexOf(': ') + 2);
  return tail.length >= fewestCharacters && tail.length < text.length && other.endsWith(tail);
}

/** `96 episodes (0, 3, 6-99)`. */
export function episodesText({ episodes }: Pick<Issue, 'episodes'>, most?: number): string {
  const number = String(episodes.length).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${number} ${episodes.length === 1 ? 'episode' : 'episodes'} (${rangesText(episodes, most)})`;
}

/** A code as words: `frames_repeated` → `frames repeated`. */
export const words = (code: string): string => code.replaceAll('_', ' ');
