import type { CurationResult, CurationStrategy, JsonValue } from '#client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { count, duration, plural, strategyTitle } from '../../components/words.ts';
import { Compositions } from './compositions.tsx';
import { Dropped } from './dropped.tsx';
import { parameterTitle, unitOf } from './parameter.ts';

interface OutcomeProps {
  readonly result: CurationResult;
  readonly strategies: readonly CurationStrategy[];
}

/** Result of a plan: counts by stage, composition before and after, and the dropped episodes. */
export function Outcome({ result, strategies }: OutcomeProps) {
  const { kept, dropped, trims, boosts, before, after, plan_hash, stages } = result;
  const titles = new Map(strategies.map(({ id, title }) => [id, title]));
  return (
    <>
      <Panel title="Plan result">
        <Facts
          rows={[
            ['Kept', `${count(kept.length)} of ${plural(before.episodes, 'episode')}`],
            ['Duration', `${duration(after.duration_s)} of ${duration(before.duration_s)}`],
            ['Dropped', count(dropped.length)],
            ['Trimmed', count(Object.keys(trims).length)],
            ['Sampled more often', count(Object.keys(boosts).length)],
            [
              'Plan hash',
              <code key="hash" className="hash">
                {plan_hash}
              </code>,
            ],
          ]}
        />
        <DataTable
          caption="Stages"
          columns={columnsOf(titles)}
          rows={stages}
          keyOf={({ stage }) => String(stage)}
          none="The plan has no stages."
        />
      </Panel>
      <Compositions before={before} after={after} />
      <Dropped dropped={dropped} stages={stages} titles={titles} />
    </>
  );
}

type StageReport = CurationResult['stages'][number];

const columnsOf = (titles: ReadonlyMap<string, string>): readonly Column<StageReport>[] => [
  {
    title: 'Stage',
    cell: ({ stage, strategy, parameters }) => (
      <>
        <span className="row-title">
          {stage} {titles.get(strategy) ?? strategyTitle(strategy)}
        </span>
        <span className="row-note">
          {Object.entries(parameters)
            .filter(([, value]) => !Array.isArray(value) || value.length > 0)
            .map(([name, value]) => parameterWords(name, value))
            .join(' · ')}
        </span>
      </>
    ),
  },
  { title: 'Input', number: true, cell: ({ looked_at }) => count(looked_at) },
  { title: 'Dropped', number: true, cell: ({ dropped }) => count(dropped) },
  { title: 'Not assessable', number: true, cell: ({ not_assessable }) => count(not_assessable) },
  { title: 'Trimmed', number: true, cell: ({ trimmed }) => count(trimmed) },
  { title: 'Sampled more often', number: true, cell: ({ boosted }) => count(boosted) },
  {
    title: 'Why not assessable',
    wide: true,
    cell: ({ reasons }) => (
      <>
        {reasons.slice(0, 4).map(({ reason, episodes }) => (
          <p key={reason} className="faint">
            {count(episodes)}: {reason}
          </p>
        ))}
        {reasons.length > 4 && <p className="faint">and {count(reasons.length - 4)} more</p>}
      </>
    ),
  },
];

const mostNamed = 5;

/** Formats a parameter: `least_s` of 5 as `min 5 s`. */
function parameterWords(name: string, value: JsonValue): string {
  const text = Array.isArray(value) ? value.slice(0, mostNamed).join(', ') : String(value);
  return `${parameterTitle(name)} ${text} ${unitOf(name)}`.trim();
}
