import type { Severity } from '#episode';
import type { JudgedEpisode, OutputContext } from './output.ts';
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

type Said = Pick<Issue, 'code' | 'severity' | 'source' | 'advice'> & { readonly message: string | null };
type Growing = Omit<Issue, 'example' | 'episodes'> & { example: string | null; readonly episodes: number[] };

/** Flags and findings of all episodes, each code once a dataset: most episodes first. */
export function issuesOf(verdicts: readonly JudgedEpisode[], flags: OutputContext['flags']): Issue[] {
  const issues = new Map<string, Growing>();
  for (const verdict of verdicts) {
    const { dataset, index } = verdict;
    for (const { message, ...said } of saidOf(verdict, flags)) {
      const key = `${dataset} ${said.code}`;
      const known = issues.get(key);
      if (known === undefined) issues.set(key, { ...said, dataset, episodes: [index], example: message });
      else if (known.episodes.at(-1) !== index) known.episodes.push(index);
      if (known?.example === null) known.example = message;
    }
  }
  const all = [...issues.values()];
  return all
    .filter((issue) => !all.some((other) => isEcho(issue, other)))
    .sort((a, b) => b.episodes.length - a.episodes.length || (a.code < b.code ? -1 : 1));
}

function saidOf(verdict: JudgedEpisode, flags: OutputContext['flags']): Said[] {
  return [
    ...verdict.flags.map(({ code, severity, message }) => ({
      ...{ code, severity, message, source: 'flag' as const },
      advice: flags.get(code)?.advice ?? '',
    })),
    ...verdict.findings.map((finding) => ({ ...finding, source: 'finding' as const })),
  ];
}

/** A finding of the same episodes that says no more than a flag does: that a file is missing, say. */
function isEcho(issue: Issue, other: Issue): boolean {
  return (
    issue.source === 'finding' &&
    other.source === 'flag' &&
    issue.dataset === other.dataset &&
    saysLess(issue.example, other.example) &&
    issue.episodes.length === other.episodes.length &&
    issue.episodes.every((episode, at) => episode === other.episodes[at])
  );
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
