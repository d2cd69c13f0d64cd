import type { Review } from '#client';
import { others_ms, useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Badge } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Panel } from '../../components/page.tsx';
import { time } from '../../components/words.ts';

/** Table of the reviews of an episode, newest first. */
export function History({ episode_id }: { readonly episode_id: string }) {
  const reviews = useList('list_reviews', { episode_id }, { every_ms: others_ms });
  return (
    <Panel title="Review history">
      <Loaded of={reviews} what="the review history">
        {(items) => (
          <DataTable
            caption="Review history"
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            none="Not reviewed yet. The automatic decision applies."
          />
        )}
      </Loaded>
      <More list={reviews} what="reviews" />
    </Panel>
  );
}

const columns: readonly Column<Review>[] = [
  {
    title: 'Decision',
    cell: ({ decision, withdrawn_at }) => (
      <>
        <Badge decision={decision} />
        {withdrawn_at !== null && <span className="faint"> withdrawn</span>}
      </>
    ),
  },
  { title: 'Time', cell: ({ created_at }) => time(created_at) },
  { title: 'Reviewer', cell: ({ created_by }) => <code>{created_by}</code> },
  {
    title: 'Note',
    wide: true,
    cell: ({ note, current }) => (current ? note : `${note} (for an earlier receipt)`.trim()),
  },
];
