import { z } from 'zod';
import { canonicalJson, idPattern, type JsonObject, sha256 } from '#core';
import type { SearchAnswer, SearchCoverage, SearchQuery, ServedRanking, SliceQuery } from '#core/api';
import { descriptors } from '#quality/search';
import {
  type DescribedCount,
  type Ranking,
  type SearchCounts,
  type SearchHit,
  type SearchPosition,
  type Store,
  searchCountRows,
  searchRows,
} from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { summaryOf } from '../episodes/views.ts';
import { badCursor, decodeCursor, encodeCursor, pageOfRows } from '../page.ts';
import { resolveQuery } from './resolve-query.ts';
import { requestTextIndex } from './text-ranking.ts';

/** A search in a project, with its page. */
export interface ProjectSearch extends SearchQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of a project's episodes that pass the filters, best first; queues the indexing of texts if not all are
 * indexed. Cursors hold the distance and id of the last hit, so insertions and deletions neither repeat nor skip others.
 * Throws as `resolveQuery`, `invalid_request` for a cursor of another query.
 */
export async function searchProject(
  store: Store,
  call: Call,
  { project_id, limit, cursor, filter, rank }: ProjectSearch,
): Promise<SearchAnswer> {
  requireRole(call, 'viewer');
  const scope = { ...scopeOf(store, call), database: store.database };
  const query = { filter, rank };
  const { search, project, moment, note } = await resolveQuery(store, scope, project_id, query);
  // Positions of one ranking mean nothing in another, and a model may be installed between two pages.
  const model = search.ranking.by === 'meaning' ? { model: search.ranking.model } : {};
  const query_hash = sha256(canonicalJson({ ...query, ...model })).slice(0, 16);
  const after = parseSearchCursor(query_hash, cursor);
  const ranked = await searchCountRows.countRanked(scope, search);
  if (search.ranking.by === 'meaning' && ranked.ranked < ranked.matched)
    await requestTextIndex(store, scope, project_id);
  const coverage = computeCoverage(search.ranking, ranked);
  const { hits: rows, exact } = await searchRows.bestEpisodes(scope, search, {
    after,
    limit: limit + 1,
    ranked,
  });
  const { items, next_cursor } = pageOfRows(
    rows,
    limit,
    ({ far, id }) => encodeCursor([query_hash, far, id]),
    (row) => ({
      ...describeHit(search.ranking, row),
      episode: summaryOf(row, project_id, project.data_kind_override),
    }),
  );
  const ranked_by = describeRanking(search.ranking, { moment, note, exact });
  const brief = items.map(({ episode: { id, receipt_id }, score }) => ({ id, receipt_id, score }));
  const response_hash = hashResult({ query, ranked_by, coverage }, { items: brief });
  return { query, ranked_by, coverage, items, next_cursor, response_hash };
}

/** A query with the ranking and coverage of its result. */
export interface RankedQuery {
  readonly query: SliceQuery;
  readonly ranked_by: ServedRanking | null;
  readonly coverage: SearchCoverage;
}

/**
 * Returns the hash of a result: SHA-256 of the canonical JSON of the query, the ranking's id, version, model and moment,
 * the numbers of matched and ranked episodes, and the episodes. Explanations in words do not change it.
 */
export function hashResult({ query, ranked_by, coverage }: RankedQuery, episodes: JsonObject): string {
  const ranking = ranked_by === null ? null : hashedRanking(ranked_by);
  const { matched, ranked } = coverage;
  return sha256(canonicalJson({ query, ranked_by: ranking, coverage: { matched, ranked }, ...episodes }));
}

const hashedRanking = ({ id, version, model, moment }: ServedRanking): JsonObject => ({
  ...{ id, version, moment },
  ...(model === undefined ? {} : { model }),
});

function describeHit(ranking: Ranking, { far, from_s, to_s }: SearchHit) {
  const score = toScore(ranking, far);
  const moment = from_s === null || to_s === null ? null : { from_s, to_s };
  const where = moment === null ? '' : ` at ${moment.from_s.toFixed(1)}–${moment.to_s.toFixed(1)} s`;
  if (ranking.by === 'age') return { score, moment, why: 'matches the filters' };
  if (ranking.by === 'text')
    return { score, moment, why: 'its task, captions or detailed description contain some of the words' };
  if (ranking.by === 'meaning')
    return {
      score,
      moment,
      why: `its task or a sentence of its captions or detailed description is close in meaning, cosine ${(-far).toFixed(3)}`,
    };
  const { descriptor, version } = ranking;
  return { score, moment, why: `${descriptor} v${version}, cosine ${(-far).toFixed(3)}${where}` };
}

const searchCursorShape = z.tuple([z.string(), z.number(), z.string().regex(idPattern('ep'))]);

function parseSearchCursor(query_hash: string, cursor: string | undefined): SearchPosition | null {
  if (cursor === undefined) return null;
  const parsed = searchCursorShape.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw badCursor('must be a cursor returned by a search');
  const [made_for, far, id] = parsed.data;
  if (made_for !== query_hash) throw badCursor('the cursor belongs to another query');
  return { far, id };
}

/** Returns how many episodes pass the filters and how many of them are ranked, with reasons for those that cannot be. */
export function computeCoverage(
  ranking: Ranking,
  { matched, ranked, described }: SearchCounts,
): SearchCoverage {
  if (ranking.by === 'age' || matched === 0) return { matched, ranked: matched, not_ranked: [] };
  const counts = new Map<string, number>();
  for (const row of described) {
    const reason = explainNotRanked(row, ranking);
    counts.set(reason, (counts.get(reason) ?? 0) + row.episodes);
  }
  const explained = [...counts.values()].reduce((sum, episodes) => sum + episodes, 0);
  // Runs may write between the two counts.
  const rest = Math.max(0, matched - ranked - explained);
  if (rest > 0) counts.set(explainUndescribed(ranking), rest);
  const not_ranked = [...counts].map(([reason, episodes]) => ({ reason, episodes }));
  not_ranked.sort((one, other) => other.episodes - one.episodes || (one.reason < other.reason ? -1 : 1));
  return { matched, ranked, not_ranked };
}

function explainNotRanked({ version, layout, reason }: DescribedCount, ranking: Ranking): string {
  if (reason !== null) return reason;
  if (ranking.by === 'like' && version !== ranking.version)
    return `indexed with an older version (${version}); run its source again`;
  return `its streams have a different layout (${layout})`;
}

function explainUndescribed(ranking: Ranking): string {
  if (ranking.by === 'text') return 'its task, captions and detailed description contain none of the words';
  if (ranking.by === 'meaning')
    return 'it has no task, captions or detailed description, or they are not indexed yet';
  const short = ranking.by === 'like' && ranking.moments ? 'too short to be split into moments, or ' : '';
  return `${short}not indexed for search yet; run its source again`;
}

/** Returns the API view of a ranking; null if results are not ranked. */
export function describeRanking(
  ranking: Ranking,
  { moment, note, exact }: Pick<ServedRanking, 'moment' | 'exact'> & { readonly note: string | null },
): ServedRanking | null {
  if (ranking.by === 'age') return null;
  if (ranking.by === 'text')
    return {
      id: 'words',
      version: 2,
      says: 'words that the task, captions and detailed description share with the query (PostgreSQL ts_rank); exact words, not meaning',
      ...(note === null ? {} : { note }),
      exact: true,
      moment: null,
    };
  if (ranking.by === 'meaning')
    return {
      id: 'meaning',
      version: 1,
      says: 'meaning of the task and of sentences of the captions and detailed description, compared with the query as sentence embeddings',
      model: ranking.model,
      exact,
      moment: null,
    };
  const { descriptor, version } = ranking;
  const says = descriptors.get(descriptor)?.says ?? '';
  return { id: descriptor, version, says, exact, moment };
}

/**
 * Converts `far`, the negative rank of words or the negative cosine, to a score from 0 to 1, higher is better; returns
 * null for a ranking by age.
 */
export function toScore(ranking: Ranking, far: number): number | null {
  if (ranking.by === 'age') return null;
  const score = ranking.by === 'text' ? -far : (1 - far) / 2;
  return Math.round(Math.min(1, Math.max(0, score)) * 1e6) / 1e6;
}
