import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { others_ms, useAnswer, useList } from '../../api/use-answer.ts';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { SaveSlice } from '../../components/save-slice.tsx';
import { plural } from '../../components/words.ts';
import { EpisodeMap } from './episode-map.tsx';
import { rememberOrder } from './episode-order.ts';
import { EpisodePictures } from './episode-pictures.tsx';
import { EpisodeRows } from './episode-rows.tsx';
import { FilterBar } from './filter-bar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

/** The first page is small, so that it loads fast. */
const [first_rows, next_rows] = [100, 500];
/** Refetch interval in ms. All loaded pages are refetched, so longer lists are refetched less often. */
const askAgain_ms = (rows: number) => (rows <= first_rows + next_rows ? others_ms : Math.max(15_000, rows));

const route = getRouteApi('/projects/$projectId/episodes');

/** Screen of the project's episodes as rows or thumbnails; the filters are in the URL, so that links contain them. */
export function EpisodesScreen() {
  const { projectId: project_id } = route.useParams();
  const filter = route.useSearch();
  const { view, ...asked } = filter;
  const { sort, ...chosen } = asked;
  const summary = useAnswer('summarise_project', { project_id, ...chosen }, { every_ms: others_ms });
  const whole = useAnswer('summarise_project', { project_id });
  const list = useList(
    'list_episodes',
    { project_id, limit: first_rows, sort: 'name', ...asked },
    { every_ms: askAgain_ms, next_limit: next_rows },
  );
  const { data: loaded } = list;
  useEffect(() => {
    if (loaded === undefined) return;
    rememberOrder(
      project_id,
      loaded.map(({ id }) => id),
    );
  }, [project_id, loaded]);
  const Shown = view === 'pictures' ? EpisodePictures : EpisodeRows;
  const total = summary.data?.episodes ?? list.items.length;
  const selection = useSelection(list.items, JSON.stringify([project_id, chosen]));
  return (
    <Page
      title="Episodes"
      aside={<span className="shown">{summary.data === undefined ? '' : plural(total, 'episode')}</span>}
    >
      <FilterBar summary={whole.data} />
      <details className="save-slice">
        <summary>Save these episodes as a slice</summary>
        <SaveSlice project_id={project_id} query={{ filter: chosen }} found={summary.data?.episodes} />
      </details>
      {view === 'map' ? (
        <EpisodeMap {...{ project_id, ...chosen }} />
      ) : (
        <SelectionBar selection={selection} />
      )}
      {list.error !== null && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {view !== 'map' && list.data !== undefined && <Shown {...{ project_id, list, total, selection }} />}
    </Page>
  );
}
