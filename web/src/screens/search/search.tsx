import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Failure } from '../../components/failure.tsx';
import { More } from '../../components/more.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { SaveSlice } from '../../components/save-slice.tsx';
import { Coverage } from './coverage.tsx';
import { Filters } from './filters.tsx';
import { Found } from './found.tsx';
import { Ranking } from './ranking.tsx';
import { isFiltered, queryOf } from './search-address.ts';
import { useSearch } from './use-search.ts';

const route = getRouteApi('/projects/$projectId/search');

/** Search screen: filters, ranking by text or similarity, and saving the result as a slice. */
export function SearchScreen() {
  const { projectId: project_id } = route.useParams();
  const address = route.useSearch();
  const answer = useSearch(project_id, queryOf(address));
  const { first, items } = answer;
  // On narrow pages, unset filters are collapsed, since they would push the results down.
  const [open] = useState(() => matchMedia('(min-width: 761px)').matches || isFiltered(address));
  return (
    <Page title="Search" note="Filters select the episodes; ranking sorts those that match.">
      <search aria-label="Search episodes" className="asking">
        <Ranking />
        <details className="fold" open={open}>
          <summary>Filters</summary>
          <Filters project_id={project_id} />
        </details>
      </search>
      {answer.error !== null && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {first !== undefined && (
        <>
          <div className="found-head" aria-busy={answer.isPlaceholderData}>
            <Coverage coverage={first.coverage} ranked_by={first.ranked_by} />
            <SaveSlice
              project_id={project_id}
              query={first.query}
              found={first.ranked_by === null ? first.coverage.matched : first.coverage.ranked}
              ranked={first.ranked_by !== null}
            />
          </div>
          <Panel title="Results" tally={`${items.length} shown`}>
            <Found items={items} />
            <More list={answer} what="episodes" />
            <p className="faint">
              Result hash <code className="hash">{first.response_hash}</code>. Identical results have the same
              hash.
            </p>
          </Panel>
        </>
      )}
      {first === undefined && answer.error === null && <p className="waiting">Searching…</p>}
    </Page>
  );
}
