import { getRouteApi } from '@tanstack/react-router';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { plural } from '../../components/words.ts';
import { EpisodeRows } from './episode-rows.tsx';
import { FilterBar } from './filter-bar.tsx';

const route = getRouteApi('/projects/$projectId/episodes');

/** The project's episodes as rows; the address holds the filters, so that a link shows what was seen. */
export function EpisodesScreen() {
  const { projectId: project_id } = route.useParams();
  const filter = route.useSearch();
  const { sort, ...chosen } = filter;
  const summary = useAnswer('summarise_project', { project_id, ...chosen }, { every_ms: 5000 });
  const whole = useAnswer('summarise_project', { project_id });
  const list = useList('list_episodes', { project_id, limit: 200, ...filter });
  const total = summary.data?.episodes ?? list.items.length;
  return (
    <Page
      title="Episodes"
      aside={<span className="shown">{summary.data === undefined ? '' : plural(total, 'episode')}</span>}
    >
      <FilterBar summary={whole.data} />
      {list.error !== null && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && <EpisodeRows project_id={project_id} list={list} total={total} />}
    </Page>
  );
}
