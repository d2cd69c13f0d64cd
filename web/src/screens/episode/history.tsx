import type { Review } from '@assay/client';
import { others_ms, useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Badge } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Panel } from '../../components/page.tsx';
import { time } from '../../components/words.ts';

/** Who decided what, newest first. */
export function History({ episode_id }: { readonly episode_id: string }) {
  const reviews = useList('list_reviews', { episode_id }, { every_ms: others_ms });
  return (
    <Panel title="History of decisions">
      <Loaded of={reviews} what="the decisions">
        {(items) => (
          <DataTable
            caption="Decisions of people"
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            none="No person has decided yet; the checks’ decision stands."
          />
        )}
      </Loaded>
      <More list={reviews} what="decisions" />
    </Panel>
  );
}

const columns: readonly Column<Review>[] = [
  { title: 'Decision', cell: ({ decision }) => <Badge decision={decision} /> },
  { title: 'When', cell: ({ created_at }) => time(created_at) },
  { title: 'Who', cell: ({ created_by }) => <code>{created_by}</code> },
  {
    title: 'Note',
    wide: true,
    cell: ({ note, current }) => (current ? note : `${note} (on an earlier receipt)`.trim()),
  },
];
