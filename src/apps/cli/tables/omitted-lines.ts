import { count, grouped, printableName } from '../text.ts';

/** A dropped episode and the reason. */
export interface OmittedEpisode {
  readonly id: string;
  readonly why: string;
}

const maxListedReasons = 20;
const maxListedRuns = 6;

/**
 * Renders dropped episodes in one line per reason, in order of first occurrence: `dropped 20 episodes (not drawn):
 * ep_04-23`. One line counts the episodes beyond 20 reasons.
 */
export function omittedLines(all: readonly OmittedEpisode[]): string[] {
  const groups = [...Map.groupBy(all, ({ why }) => why)];
  const lines = groups.slice(0, maxListedReasons).map(([why, episodes]) => {
    const names = formatIdRuns(episodes.map(({ id }) => id));
    return episodes.length === 1
      ? `  dropped ${names}: ${printableName(why)}`
      : `  dropped ${count(episodes.length, 'episode')} (${printableName(why)}): ${names}`;
  });
  const rest = groups.slice(maxListedReasons).reduce((sum, [, { length }]) => sum + length, 0);
  return rest === 0 ? lines : [...lines, `  and ${grouped(rest)} more; --json lists all`];
}

/** Joins ids, consecutive ones as a range: `episode_000004-23, episode_000031`. */
function formatIdRuns(ids: readonly string[]): string {
  const runs: [first: string, last: string][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run !== undefined && id === next(run[1])) run[1] = id;
    else runs.push([id, id]);
  }
  const visibleRuns = runs
    .slice(0, maxListedRuns)
    .map(([first, last]) => printableName(inWords(first, last)));
  return [...visibleRuns, ...(runs.length > maxListedRuns ? ['…'] : [])].join(', ');
}

function inWords(first: string, last: string): string {
  if (first === last) return first;
  const [, digits] = split(last);
  return `${first}-${digits.replace(/^0+(?=.)/, '')}`;
}

/** Returns the id with its trailing number incremented, at the same width; `null` if it has no number. */
function next(id: string): string | null {
  const [name, digits] = split(id);
  return digits === '' ? null : name + String(Number(digits) + 1).padStart(digits.length, '0');
}

/** Splits an id into its name and its trailing digits (at most 15). */
function split(id: string): [name: string, digits: string] {
  const digits = /\d{1,15}$/.exec(id)?.[0] ?? '';
  return [id.slice(0, id.length - digits.length), digits];
}
