import type { Component, Episode } from '#client';
import { checkRows, measuredInShort } from '#quality/report/views';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { checkTitle, number, score, spaced } from '../../components/words.ts';

/** Check results by view. Checks that were not measured show the reason, neither zero nor pass. */
export function Checks({ views }: { readonly views: Episode['views'] }) {
  const { integrity, semantic, utility } = views;
  return (
    <div className="pair">
      <Panel title="Integrity" tally={score(integrity.score)}>
        <CheckTable caption="Integrity checks" checks={integrity.checks} />
      </Panel>
      <div>
        <Panel title="Semantic quality" tally={score(semantic.score)}>
          <CheckTable caption="Semantic quality checks" checks={semantic.checks} />
        </Panel>
        <Panel title="Target utility">
          <DataTable
            caption="Target utility signals"
            columns={signalColumns}
            rows={utility.signals}
            keyOf={({ signal }) => signal}
            none="No utility signals for this target."
          />
        </Panel>
      </div>
    </div>
  );
}

const signalColumns: readonly Column<Episode['views']['utility']['signals'][number]>[] = [
  { title: 'Signal', cell: ({ signal }) => signal },
  { title: 'Status', cell: ({ status }) => spaced(status) },
  { title: 'Reason', wide: true, cell: ({ reason }) => reason },
];

interface CheckTableProps {
  readonly caption: string;
  readonly checks: readonly Component[];
}

function CheckTable({ caption, checks }: CheckTableProps) {
  const { rows, idle } = checkRows(checks);
  return (
    <>
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        none="None of these checks apply to this episode."
      />
      {idle.length > 0 && (
        <ul className="idle" aria-label={`${caption} that do not apply to this episode`}>
          {idle.map(({ reason, ids }) => (
            <li key={reason}>
              {ids.map(checkTitle).join(', ')}: <span className="faint">{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const columns: readonly Column<Component>[] = [
  { title: 'Check', cell: ({ id }) => checkTitle(id) },
  {
    title: 'Score',
    number: true,
    cell: (check) =>
      check.status === 'scored' ? (
        <span className={check.score < check.threshold ? 'is-low' : undefined}>{score(check.score)}</span>
      ) : (
        '–'
      ),
  },
  { title: 'Threshold', number: true, cell: ({ threshold }) => score(threshold) },
  { title: 'Weight', number: true, cell: ({ weight }) => number(weight, 3) },
  {
    title: 'Measured',
    wide: true,
    cell: (check) => (
      <span className="faint">
        {check.status === 'scored'
          ? measuredInShort(check.inputs)
          : `${spaced(check.status)}: ${check.reason}`}
      </span>
    ),
  },
];
