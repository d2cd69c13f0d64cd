import type { SearchQuery, Slice } from '#contract';
import { canonicalJson, newId, sha256 } from '#kernel';
import { resolveSettings } from '#readiness';
import { type SliceRow, type Store, searchRows, sliceRows } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { effectiveSettings } from '../readiness/effective-settings.ts';
import { coverageOf, rankedBy, scoreOf } from '../search/coverage.ts';
import { understandQuery } from '../search/understand-query.ts';
import { auditedSlice, sliceOf } from './views.ts';

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
    const coverage = await coverageOf(scope, search);
    const best = await searchRows.bestMembers(scope, search, most);
    const members = best.map(({ episode_id, receipt_hash, far }) => {
      return { episode_id, receipt_hash, score: scoreOf(search.ranking, far) };
    });
    const ranked_by = rankedBy(search.ranking, moment);
    const row: SliceRow = {
      tenant_id: scope.tenant_id,
      id: newId('slc'),
      project_id,
      name,
      query,
      ranked_by,
      coverage,
      settings_hash: resolveSettings(effectiveSettings(project)).settings_hash,
      response_hash: sha256(canonicalJson({ query, ranked_by, coverage, members })),
      episodes: members.length,
      locked_at: null,
      locked_by: null,
      created_at: call.now,
      created_by: actorId(call),
    };
    await sliceRows.insertSlice(scope, row, members);
    await appendAudit(store, call, {
      action: 'create_slice',
      object_type: 'slice',
      object_id: row.id,
      before: null,
      after: auditedSlice(row),
      detail: { name, episodes: members.length, response_hash: row.response_hash },
    });
    return sliceOf(row);
  });
}
