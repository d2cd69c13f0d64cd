import type { Component, Episode } from '@assay/client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { score, spaced } from '../../components/words.ts';

/** The checks by view. What was not measured says why; it is neither zero nor a pass. */
export function Checks({ views }: { readonly views: Episode['views'] }) {
  const { integrity, semantic, utility } = views;
  return (
    <div className="pair">
      <Panel title="Integrity" tally={score(integrity.score)}>
        <CheckTable caption="Checks of integrity" checks={integrity.checks} />
      </Panel>
      <div>
        <Panel title="Semantic quality" tally={score(semantic.score)}>
          <CheckTable caption="Checks of semantic quality" checks={semantic.checks} />
        </Panel>
        <Panel title="Utility for the target">
          <DataTable
            caption="Signals for the target"
            columns={signalColumns}
            rows={utility.signals}
            keyOf={({ signal }) => signal}
            none="No signals are named."
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

function CheckTable({
  caption,
  checks,
}: {
  readonly caption: string;
  readonly checks: readonly Component[];
}) {
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={checks}
      keyOf={({ id }) => id}
      none="No check belongs here."
    />
  );
}

const columns: readonly Column<Component>[] = [
  { title: 'Check', cell: ({ id }) => spaced(id) },
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
  {
    title: 'Why',
    wide: true,
    cell: (check) =>
      check.status === 'scored' ? (
        ''
      ) : (
        <span className="faint">{`${spaced(check.status)}: ${check.reason}`}</span>
      ),
  },
];
