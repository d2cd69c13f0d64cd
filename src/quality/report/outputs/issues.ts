import type { Severity } from '#core/episode';
import type { EpisodeVerdict, OutputContext } from './output.ts';

/**
 * Collects flags and findings of all episodes into one issue per code and dataset, those with most episodes first;
 * omits findings that only repeat a flag.
 */
export function collectIssues(verdicts: readonly EpisodeVerdict[], flags: OutputContext['flags']): Issue[] {
  const tally = new IssueTally();
  for (const verdict of verdicts)
    tally.add(verdict.dataset, verdict.index, listEpisodeIssues(verdict, flags));
  return tally.list();
}

function listEpisodeIssues(verdict: EpisodeVerdict, flags: OutputContext['flags']): EpisodeIssue[] {
  return [
    ...verdict.flags.map(({ code, severity, message }) => ({
      ...{ code, severity, message, source: 'flag' as const },
      advice: flags.get(code)?.advice ?? '',
    })),
    ...verdict.findings.map((finding) => ({ ...finding, source: 'finding' as const })),
  ];
}

const maxRanges = 8;

/**
 * Formats ascending numbers as ranges, such as `0, 3, 6-99`, and counts the numbers beyond the first `maxListed`
 * ranges, as in `and 12 more`.
 */
export function formatRanges(numbers: readonly number[], maxListed = maxRanges): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const listedRanges = ranges.length > maxListed ? ranges.slice(0, maxListed) : ranges;
  const text = listedRanges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
  const rest = ranges.slice(listedRanges.length).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return rest === 0 ? text : `${text} and ${rest} more`;
}

/** A problem that some episodes of a dataset share. */
export interface Issue {
  readonly code: string;
  readonly severity: Severity;
  /** `flag` if a check raised it, `finding` if a reader reported it. */
  readonly source: 'flag' | 'finding';
  /** Index of the dataset. */
  readonly dataset: number;
  /** Numbers of the episodes in their dataset, ascending. */
  readonly episodes: readonly number[];
  /** Message of one of the episodes; `null` if messages were not stored. */
  readonly example: string | null;
  /** Recommended action for all of them. */
  readonly advice: string;
}

const minCharacters = 16;

/**
 * Returns `true` if `other` ends with the part of `text` after its first `: `, provided that part has at least
 * `minCharacters`; `false` for `null`.
 */
export function repeatsMessage(text: string | null, other: string | null): boolean {
  if (text === null || other === null) return false;
  const tail = text.slice(text.indexOf(': ') + 2);
  return tail.length >= minCharacters && tail.length < text.length && other.endsWith(tail);
}

/** Formats the episodes of an issue, as in `96 episodes (0, 3, 6-99)`. */
export function formatEpisodes({ episodes }: Pick<Issue, 'episodes'>, maxListed?: number): string {
  const number = String(episodes.length).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${number} ${episodes.length === 1 ? 'episode' : 'episodes'} (${formatRanges(episodes, maxListed)})`;
}

/** One flag or finding of an episode. */
export type EpisodeIssue = Pick<Issue, 'code' | 'severity' | 'source' | 'advice'> & {
  /** `null` if messages were not stored. */
  readonly message: string | null;
};

type IssueDraft = Omit<Issue, 'example' | 'episodes'> & {
  example: string | null;
  readonly episodes: number[];
};

/**
 * Collects flags and findings of episodes, added in the order of their numbers, into one issue per code and
 * dataset.
 */
export class IssueTally {
  readonly #issues = new Map<string, IssueDraft>();

  /** Counts the issues of one episode, each code once; the first message of a code becomes its example. */
  add(dataset: number, index: number, all: readonly EpisodeIssue[]): void {
    for (const { message, ...issue } of all) {
      const key = `${dataset} ${issue.code}`;
      const knownIssue = this.#issues.get(key);
      if (knownIssue === undefined)
        this.#issues.set(key, { ...issue, dataset, episodes: [index], example: message });
      else if (knownIssue.episodes.at(-1) !== index) knownIssue.episodes.push(index);
      if (knownIssue?.example === null) knownIssue.example = message;
    }
  }

  /**
   * Returns the issues, those with most episodes first, without findings that only repeat a flag of the same
   * episodes.
   */
  list(): Issue[] {
    const all = [...this.#issues.values()];
    return all
      .filter((issue) => !all.some((other) => isRepeatedFinding(issue, other)))
      .sort((a, b) => b.episodes.length - a.episodes.length || (a.code < b.code ? -1 : 1));
  }
}

/**
 * Returns `true` if a finding concerns the same episodes as a flag and its message is contained in the
 * flag's, for example that a file is missing.
 */
function isRepeatedFinding(issue: Issue, other: Issue): boolean {
  return (
    issue.source === 'finding' &&
    other.source === 'flag' &&
    issue.dataset === other.dataset &&
    repeatsMessage(issue.example, other.example) &&
    issue.episodes.length === other.episodes.length &&
    issue.episodes.every((episode, at) => episode === other.episodes[at])
  );
}
