import type { ComparedSide, EpisodeComparison, Run } from '#client';
import { decisionWords } from '#quality/report/views';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { codeTitle, count, duration, number, plural, usd } from '../../components/words.ts';

interface Line {
  readonly name: string;
  readonly one: string;
  readonly other: string;
  /** Difference of the second side from the first, in words; null if they are equal. */
  readonly more: string | null;
  /** Size of the difference, for sorting. */
  readonly apart: number;
}

interface DifferencesProps {
  readonly comparison: EpisodeComparison;
  readonly runs: readonly Run[];
}

/** Table of all figures of both sides: differing ones first, largest difference on top; equal ones collapsed. */
export function Differences({ comparison, runs }: DifferencesProps) {
  const { both, only_one, only_other, decided_otherwise, flagged_otherwise } = comparison;
  const lines = [...linesOf(comparison), ...runLines(comparison, runs)];
  const differ = lines.filter(({ more }) => more !== null).sort((a, b) => b.apart - a.apart);
  const same = lines.filter(({ more }) => more === null);
  return (
    <Panel title="Differences" tally={differ.length === 0 ? 'none' : differ.length}>
      <p role="status">
        {plural(both, 'episode is', 'episodes are')} in both, {count(only_one)} only on the left,{' '}
        {count(only_other)} only on the right.
        {both > 0 && (
          <>
            {' '}
            Of those in both, {plural(decided_otherwise, 'has', 'have')} a different decision and{' '}
            {plural(flagged_otherwise, 'has', 'have')} different flags.
          </>
        )}
      </p>
      {differ.length > 0 && (
        <DataTable caption="Differences" columns={columns} rows={differ} keyOf={({ name }) => name} none="" />
      )}
      {same.length > 0 && (
        <details className="note">
          <summary>Same on both sides ({same.length})</summary>
          <DataTable
            caption="Same on both sides"
            columns={columns}
            rows={same}
            keyOf={({ name }) => name}
            none=""
          />
        </details>
      )}
    </Panel>
  );
}

const columns: readonly Column<Line>[] = [
  { title: 'Metric', wide: true, cell: ({ name }) => name },
  { title: 'Left', number: true, cell: ({ one }) => one },
  { title: 'Right', number: true, cell: ({ other }) => other },
  {
    title: 'Difference',
    number: true,
    cell: ({ more }) => (more === null ? <span className="faint">none</span> : <b>{more}</b>),
  },
];

/** Creates a table row of two numbers. */
function line(name: string, one: number, other: number, says: (value: number) => string = count): Line {
  const more = other - one;
  return {
    name,
    one: says(one),
    other: says(other),
    more: more === 0 ? null : `${more > 0 ? '+' : '−'}${says(Math.abs(more))}`,
    apart: Math.abs(more) / Math.max(Math.abs(one), Math.abs(other), 1e-12),
  };
}

function linesOf({ one, other }: EpisodeComparison): readonly Line[] {
  const flags = [...new Set([...one.flags, ...other.flags].map(({ value }) => value))];
  const raised = ({ flags: own }: ComparedSide, flag: string) =>
    own.find(({ value }) => value === flag)?.episodes ?? 0;
  return [
    line('Episodes', one.episodes, other.episodes),
    line('Duration', one.duration_s, other.duration_s, duration),
    ...(['accept', 'review', 'reject'] as const).map((each) =>
      line(decisionWords[each], one.decisions[each], other.decisions[each]),
    ),
    ...(one.median_score === null || other.median_score === null
      ? []
      : [line('Median score', one.median_score, other.median_score, number)]),
    ...flags.map((flag) => line(`Flag: ${codeTitle(flag)}`, raised(one, flag), raised(other, flag))),
  ];
}

/** Creates the table rows of figures that only runs have. */
function runLines({ one, other }: EpisodeComparison, runs: readonly Run[]): readonly Line[] {
  const [left, right] = [one, other].map(({ run_id }) => runs.find(({ id }) => id === run_id));
  if (left === undefined || right === undefined || left.id === right.id) return [];
  const isSame = JSON.stringify(left.settings) === JSON.stringify(right.settings);
  const setIn = ({ settings }: Run) => `${Object.keys(settings.checks ?? {}).length} checks configured`;
  return [
    line('Unreadable episodes', left.episodes.unreadable, right.episodes.unreadable),
    line('Compute time', left.compute_s, right.compute_s, duration),
    line('Cost', left.cost_usd, right.cost_usd, usd),
    {
      name: 'Readiness settings',
      ...{ one: setIn(left), other: setIn(right) },
      ...{ more: isSame ? null : 'different', apart: isSame ? 0 : 1 },
    },
  ];
}
