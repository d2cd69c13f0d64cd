import { printableName } from '../printable.ts';
import { count, grouped } from '../words.ts';

/** An episode that is left out, and why in words. */
export interface LeftOut {
  readonly id: string;
  readonly why: string;
}

const reasonsShown = 20;
const runsShown = 6;

/** One line a reason, in the order in which reasons first appear: `without 20 episodes: not drawn: ep_04-23`. */
export function withoutLines(all: readonly LeftOut[]): string[] {
  const groups = [...Map.groupBy(all, ({ why }) => why)];
  const lines = groups.slice(0, reasonsShown).map(([why, episodes]) => {
    const names = runsOf(episodes.map(({ id }) => id));
    return episodes.length === 1
      ? `  without ${names}: ${printableName(why)}`
      : `  without ${count(episodes.length, 'episode')}: ${printableName(why)}: ${names}`;
  });
  const rest = groups.slice(reasonsShown).reduce((sum, [, { length }]) => sum + length, 0);
  return rest === 0 ? lines : [...lines, `  and ${grouped(rest)} more; --json lists all`];
}

/** Ids that count up from one to the next as one run: `episode_000004-23, episode_000031`. */
function runsOf(ids: readonly string[]): string {
  const runs: [first: string, last: string][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run !== undefined && id === next(run[1])) run[1] = id;
    else runs.push([id, id]);
  }
  const shown = runs.slice(0, runsShown).map(([first, last]) => printableName(inWords(first, last)));
  return [...shown, ...(runs.length > runsShown ? ['…'] : [])].join(', ');
}

function inWords(first: string, last: string): string {
  if (first === last) return first;
  const [, digits] = split(last);
  return `${first}-${digits.replace(/^0+(?=.)/, '')}`;
}

/** The id that counts one on, as wide; null for one without a number at its end. */
function next(id: string): string | null {
  const [name, digits] = split(id);
  return digits === '' ? null : name + String(Number(digits) + 1).padStart(digits.length, '0');
}

/** A name, and the number of up to 15 digits at its end. */
function split(id: string): [name: string, digits: string] {
  const digits = /\d{1,15}$/.exec(id)?.[0] ?? '';
  return [id.slice(0, id.length - digits.length), digits];
}
