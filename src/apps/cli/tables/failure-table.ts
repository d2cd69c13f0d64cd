import { count, cutLine, grouped, printableName } from '../text.ts';

/** A compared failure, in the form common to folders and services. */
interface FailureRow {
  readonly id: string;
  readonly verdict: 'near' | 'novel' | 'not_assessable';
  readonly reason: string | null;
  readonly by: string | null;
  readonly novelty: number | null;
  readonly nearest: readonly { readonly id: string }[];
}

const maxListedFailures = 20;
const maxListedNearest = 3;

/** Renders failures with their nearest episodes, most novel first; those that could not be compared come last. */
export function renderFailures(
  {
    baseline,
    failures,
    notes,
  }: {
    readonly baseline: { readonly episodes: number };
    readonly failures: readonly FailureRow[];
    readonly notes: readonly string[];
  },
  columns: number,
): string {
  const of = (verdict: FailureRow['verdict']): number =>
    failures.filter((failure) => failure.verdict === verdict).length;
  const lines = [
    `${count(failures.length, 'failure')} compared with ${count(baseline.episodes, 'episode')}: ${of('near')} near, ${of('novel')} novel, ${of('not_assessable')} not assessable`,
    ...notes.map((note) => `  (${printableName(note)})`),
  ];
  const sorted = [...failures].sort((one, other) => (other.novelty ?? -1) - (one.novelty ?? -1));
  for (const failure of sorted.slice(0, maxListedFailures)) lines.push(`  ${lineOf(failure)}`);
  if (sorted.length > maxListedFailures)
    lines.push(`  and ${grouped(sorted.length - maxListedFailures)} more; --json lists all`);
  return `${lines.map((line) => cutLine(line, Math.max(columns, 80))).join('\n')}\n`;
}

/** Explains why there is no plan or export if no failure is near the data. `without` names what is missing. */
export function noNearFailureText(failures: readonly Pick<FailureRow, 'verdict'>[], without: string): string {
  const compared = failures.some(({ verdict }) => verdict !== 'not_assessable');
  const why = compared
    ? 'No failure is near the training data'
    : 'No failure could be compared with the training data';
  return `${why}, so no sampling weight is raised and no ${without} is created\n`;
}

function lineOf({ id, verdict, reason, by, novelty, nearest }: FailureRow): string {
  const name = printableName(id);
  if (novelty === null) return `${name}: not assessable: ${printableName(reason ?? '')}`;
  const near = nearest.slice(0, maxListedNearest).map((one) => printableName(one.id));
  return `${name}: ${verdict}, novelty ${novelty.toFixed(2)} by ${by}; nearest ${near.join(', ')}`;
}
