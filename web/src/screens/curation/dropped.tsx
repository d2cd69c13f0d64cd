import { useState } from 'react';
import type { CurationResult } from '#client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EpisodeName } from '../../components/episode-name.tsx';
import { Panel } from '../../components/page.tsx';
import { count, strategyTitle } from '../../components/words.ts';

interface DroppedProps {
  readonly dropped: CurationResult['dropped'];
  readonly stages: CurationResult['stages'];
  readonly titles: ReadonlyMap<string, string>;
}

const page = 25;

/** Table of the episodes that the plan drops, with stage and reason. */
export function Dropped({ dropped, stages, titles }: DroppedProps) {
  const [stage, choose] = useState(0);
  const [shown, show] = useState(page);
  const rows = stage === 0 ? dropped : dropped.filter((each) => each.stage === stage);
  return (
    <Panel title="Dropped episodes" tally={count(dropped.length)}>
      {stages.length > 1 && dropped.length > 0 && (
        <div className="form-row">
          <label>
            Dropped by
            <select
              value={stage}
              onChange={({ target }) => {
                choose(Number(target.value));
                show(page);
              }}
            >
              <option value={0}>Any stage ({count(dropped.length)})</option>
              {stages.map((each) => (
                <option key={each.stage} value={each.stage}>
                  {each.stage} {titles.get(each.strategy) ?? strategyTitle(each.strategy)} (
                  {count(each.dropped)})
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <DataTable
        caption="Dropped episodes"
        columns={columnsOf(titles)}
        rows={rows.slice(0, shown)}
        keyOf={({ id }) => id}
        none="The plan drops no episodes."
      />
      {rows.length > shown && (
        <button type="button" className="button" onClick={() => show(shown + page)}>
          Show more ({count(rows.length)} in total)
        </button>
      )}
    </Panel>
  );
}

const columnsOf = (
  titles: ReadonlyMap<string, string>,
): readonly Column<DroppedProps['dropped'][number]>[] => [
  { title: 'Episode', cell: ({ id }) => <EpisodeName id={id} /> },
  {
    title: 'Stage',
    cell: ({ stage, strategy }) => `${stage} ${titles.get(strategy) ?? strategyTitle(strategy)}`,
  },
  { title: 'Reason', wide: true, cell: ({ reason }) => reason },
];
