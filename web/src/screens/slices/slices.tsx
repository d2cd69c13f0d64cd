import { getRouteApi, Link } from '@tanstack/react-router';
import type { Slice } from '#client';
import { useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page } from '../../components/page.tsx';
import { count, time } from '../../components/words.ts';
import { queryWords } from './query-words.ts';

const route = getRouteApi('/projects/$projectId/slices');

/** Screen of saved slices, with those locked for evaluation. */
export function SlicesScreen() {
  const { projectId: project_id } = route.useParams();
  const slices = useList('list_slices', { project_id, limit: 50 });
  return (
    <Page
      title="Slices"
      note="A slice is a fixed list of episodes saved from a search. Later runs, reviews and new data do not change it."
      aside={
        <Link to="/projects/$projectId/search" params={{ projectId: project_id }} className="button">
          New slice from search
        </Link>
      }
    >
      <Loaded of={slices} what="the slices">
        {(items) => (
          <DataTable
            caption="Slices"
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            none="No slices yet. Run a search and save the results as a slice."
          />
        )}
      </Loaded>
      <More list={slices} what="slices" />
    </Page>
  );
}

const columns: readonly Column<Slice>[] = [
  {
    title: 'Slice',
    cell: ({ id, project_id, name }) => (
      <Link
        to="/projects/$projectId/slices/$sliceId"
        params={{ projectId: project_id, sliceId: id }}
        className="row-title"
      >
        {name}
      </Link>
    ),
  },
  { title: 'Episodes', number: true, cell: ({ episodes }) => count(episodes) },
  {
    title: 'Status',
    cell: ({ locked }) => (locked ? <b>Locked for evaluation</b> : <span className="faint">Not locked</span>),
  },
  { title: 'Query', wide: true, cell: ({ query }) => queryWords(query).join(' · ') },
  { title: 'Created', cell: ({ created_at }) => time(created_at) },
  { title: 'By', cell: ({ created_by }) => <code>{created_by}</code> },
  { title: 'Result hash', cell: ({ response_hash }) => <code>{response_hash.slice(0, 12)}</code> },
];
