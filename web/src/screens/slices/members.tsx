import { Link } from '@tanstack/react-router';
import type { Slice, SliceMember } from '#client';
import { useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Badge } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Panel } from '../../components/page.tsx';
import { count, duration } from '../../components/words.ts';
import { Picture } from '../episodes/picture.tsx';

/** List of the slice's episodes in search order, with their current state. */
export function Members({ slice: { id: slice_id, project_id, episodes } }: { readonly slice: Slice }) {
  const members = useList('list_slice_members', { project_id, slice_id, limit: 50 });
  return (
    <Panel title="Episodes" tally={count(episodes)}>
      <Loaded of={members} what="the episodes">
        {(items) => (
          <DataTable
            caption="Episodes"
            columns={columnsOf(project_id)}
            rows={items}
            keyOf={({ episode_id }) => episode_id}
            none="Empty slice: its query matched no episodes."
          />
        )}
      </Loaded>
      <More list={members} what="episodes" />
    </Panel>
  );
}

const columnsOf = (projectId: string): readonly Column<SliceMember>[] => [
  { title: 'Position', number: true, cell: ({ place }) => count(place + 1) },
  {
    title: 'Frame',
    cell: ({ episode }) => (episode === null ? null : <Picture episode={episode} />),
  },
  {
    title: 'Episode',
    wide: true,
    cell: ({ episode_id, episode }) =>
      episode === null ? (
        <span className="faint">{episode_id} (no longer in the project)</span>
      ) : (
        <span className="names">
          <Link
            to="/projects/$projectId/episodes/$episodeId"
            params={{ projectId, episodeId: episode_id }}
            className="episode-link"
          >
            {episode.name}
          </Link>
          <span className="task faint">{episode.task}</span>
        </span>
      ),
  },
  { title: 'Relevance', number: true, cell: ({ score }) => (score === null ? '–' : score.toFixed(3)) },
  {
    title: 'Current decision',
    cell: ({ episode }) => (episode === null ? '–' : <Badge decision={episode.decision} />),
  },
  {
    title: 'Duration',
    number: true,
    cell: ({ episode }) => (episode === null ? '–' : duration(episode.duration_s)),
  },
  { title: 'Saved receipt', cell: ({ receipt_hash }) => <code>{receipt_hash.slice(0, 12)}</code> },
];
