import { z } from 'zod';
import { canonicalJson, idPattern, sha256 } from '#core';
import type { SearchAnswer, SearchQuery } from '#core/api';
import {
  type Ranking,
  type SearchHit,
  type SearchPlace,
  type Store,
  searchCountRows,
  searchRows,
} from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { readWord, wordOf } from '../episodes/opaque-word.ts';
import { summaryOf } from '../episodes/views.ts';
import { badCursor, pageOfRows } from '../page.ts';
import { coverageOf, rankedBy, scoreOf } from './coverage.ts';
import { understandQuery } from './understand-query.ts';

export interface ProjectSearch extends SearchQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * A project's episodes that pass the filters, the best first. Pages go by place: episodes that come or go meanwhile
 * neither repeat nor hide others. Throws as `understandQuery`, and `invalid_request` for a cursor of another query.
 */
export async function searchProject(
  store: Store,
  call: Call,
  { project_id, limit, cursor, filter, rank }: ProjectSearch,
): Promise<SearchAnswer> {
  requireRole(call, 'viewer');
  const scope = { ...scopeOf(store, call), database: store.database };
  const query = { filter, rank };
  const asked = sha256(canonicalJson(query)).slice(0, 16);
  const after = placeOf(asked, cursor);
  const { search, project, moment } = await understandQuery(scope, project_id, query);
  const ranked = await searchCountRows.countRanked(scope, search);
  const coverage = coverageOf(search.ranking, ranked);
  const { hits: rows, exact } = await searchRows.bestEpisodes(scope, search, {
    after,
    limit: limit + 1,
    ranked,
  });
  const { items, next_cursor } = pageOfRows(
    rows,
    limit,
    ({ far, id }) => wordOf([asked, far, id]),
    (row) => ({
      ...foundOf(search.ranking, row),
      episode: summaryOf(row, project_id, project.data_kind_override),
    }),
  );
  const ranked_by = rankedBy(search.ranking, { moment, exact });
  const brief = items.map(({ episode: { id, receipt_id }, score }) => ({ id, receipt_id, score }));
  const response_hash = sha256(canonicalJson({ query, ranked_by, coverage, items: brief }));
  return { query, ranked_by, coverage, items, next_cursor, response_hash };
}

function foundOf(ranking: Ranking, { far, from_s, to_s }: SearchHit) {
  const score = scoreOf(ranking, far);
  const moment = from_s === null || to_s === null ? null : { from_s, to_s };
  const where = moment === null ? '' : ` at ${moment.from_s.toFixed(1)}–${moment.to_s.toFixed(1)} s`;
  if (ranking.by === 'age') return { score, moment, why: 'passes the filters' };
  if (ranking.by === 'text')
    return { score, moment, why: 'its task, captions or dense text have some of the words' };
  const { descriptor, version } = ranking;
  return { score, moment, why: `${descriptor} v${version}, cosine ${(-far).toFixed(3)}${where}` };
}

const placeShape = z.tuple([z.string(), z.number(), z.string().regex(idPattern('ep'))]);

function placeOf(asked: string, cursor: string | undefined): SearchPlace | null {
  if (cursor === undefined) return null;
  const parsed = placeShape.safeParse(readWord(cursor));
  if (!parsed.success) throw badCursor('not a cursor of a search');
  const [made_for, far, id] = parsed.data;
  if (made_for !== asked) throw badCursor('the cursor goes with another query');
  return { far, id };
}
