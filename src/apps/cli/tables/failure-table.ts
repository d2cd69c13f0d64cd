import { printableName } from '../printable.ts';
import { count, grouped } from '../words.ts';

/** A failure as both a folder and a service tell it. */
interface ShownFailure {
  readonly id: string;
  readonly verdict: 'near' | 'novel' | 'not_assessable';
  readonly reason: string | null;
  readonly by: string | null;
  readonly novelty: number | null;
  readonly nearest: readonly { readonly id: string }[];
}

const failuresShown = 20;
const nearestShown = 3;

/** What failures are near to, most novel first, and what cannot be said of the others. */
export function renderFailures(
  {
    baseline,
    failures,
    notes,
  }: {
    readonly baseline: { readonly episodes: number };
    readonly failures: readonly ShownFailure[];
    readonly notes: readonly string[];
  },
  columns: number,
): string {
  const of = (verdict: ShownFailure['verdict']): number =>
    failures.filter((failure) => failure.verdict === verdict).length;
  const lines = [
    `${count(failures.length, 'failure')} held against ${count(baseline.episodes, 'episode')}: ${of('near')} near, ${of('novel')} novel, ${of('not_assessable')} not assessable`,
    ...notes.map((note) => `  (${printableName(note)})`),
  ];
  const sorted = [...failures].sort((one, other) => (other.novelty ?? -1) - (one.novelty ?? -1));
  for (const failure of sorted.slice(0, failuresShown)) lines.push(`  ${lineOf(failure)}`);
  if (sorted.length > failuresShown)
    lines.push(`  and ${grouped(sorted.length - failuresShown)} more; --json lists all`);
  return `${lines.map((line) => line.slice(0, Math.max(columns, 80))).join('\n')}\n`;
}

/** Why nothing follows from failures none of which is near the data. */
export function nothingNear(failures: readonly Pick<ShownFailure, 'verdict'>[], without: string): string {
  const compared = failures.some(({ verdict }) => verdict !== 'not_assessable');
  const why = compared ? 'No failure is near the data' : 'No failure could be compared with the data';
  return `${why}, so there is nothing to boost and no ${without}\n`;
}

function lineOf({ id, verdict, reason, by, novelty, nearest }: ShownFailure): string {
  const name = printableName(id);
  if (novelty === null) return `${name}: not assessable: ${printableName(reason ?? '')}`;
  const near = nearest.slice(0, nearestShown).map((one) => printableName(one.id));
  return `${name}: ${verdict}, novelty ${novelty.toFixed(2)} by ${by}; nearest ${near.join(', ')}`;
}
