import type { Slice } from '@assay/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page } from '../../components/page.tsx';
import { count, time } from '../../components/words.ts';
import { queryWords } from './query-words.ts';

const route = getRouteApi('/projects/$projectId/slices');

/** Search results that were kept as they were, and which of them are locked for evaluation. */
export function SlicesScreen() {
  const { projectId: project_id } = route.useParams();
  const slices = useList('list_slices', { project_id, limit: 50 });
  return (
    <Page
      title="Slices"
      note="A slice keeps what a search found: its members do not change, whatever is judged or added later."
      aside={
        <Link to="/projects/$projectId/search" params={{ projectId: project_id }} className="button">
          Search for a new one
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
            none="There is no slice yet: search, and save what was found."
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
    title: 'Use',
    cell: ({ locked }) => (locked ? <b>Evaluation set, locked</b> : <span className="faint">open</span>),
  },
  { title: 'Asked for', wide: true, cell: ({ query }) => queryWords(query).join(' · ') },
  { title: 'Made', cell: ({ created_at }) => time(created_at) },
  { title: 'By', cell: ({ created_by }) => <code>{created_by}</code> },
  { title: 'Hash', cell: ({ response_hash }) => <code>{response_hash.slice(0, 12)}</code> },
];
