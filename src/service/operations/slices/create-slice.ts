import type { SearchQuery, Slice } from '#core/api';
import { type Store, searchCountRows, searchRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { coverageOf, rankedBy, scoreOf } from '../search/coverage.ts';
import { understandQuery } from '../search/understand-query.ts';
import { freezeSlice } from './freeze-slice.ts';
import { sliceOf } from './views.ts';

export interface NewSlice {
  readonly project_id: string;
  readonly name: string;
  readonly query: SearchQuery;
  /** How many of the best at most. */
  readonly most: number;
}

/** Keeps what a search finds now, whatever is judged or added later. Throws as `understandQuery`. */
export async function createSlice(
  store: Store,
  call: Call,
  { project_id, name, query, most }: NewSlice,
): Promise<Slice> {
  requireRole(call, 'reviewer');
  const scope = { ...scopeOf(store, call), database: store.database };
  return store.database.transaction(async () => {
    const { search, project, moment } = await understandQuery(scope, project_id, query);
    const coverage = coverageOf(search.ranking, await searchCountRows.countRanked(scope, search));
    const best = await searchRows.bestMembers(scope, search, most);
    const members = best.map(({ episode_id, receipt_hash, far }) => {
      return { episode_id, receipt_hash, score: scoreOf(search.ranking, far) };
    });
    const ranked_by = rankedBy(search.ranking, { moment, exact: true });
    const row = await freezeSlice(store, call, project, { name, query, ranked_by, coverage, members });
    return sliceOf(row);
  });
}
