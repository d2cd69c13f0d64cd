import { canonicalJson, newId, sha256 } from '#core';
import { resolveSettings } from '#quality/readiness';
import { type projectRows, type SliceRow, type Store, sliceRows } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, scopeOf } from '../call.ts';
import { effectiveSettings } from '../readiness/effective-settings.ts';
import { auditedSlice } from './views.ts';

/** What was asked, what came of it, and of how much it could be said. */
export interface FoundMembers extends Pick<SliceRow, 'name' | 'query' | 'ranked_by' | 'coverage'> {
  readonly members: Parameters<typeof sliceRows.insertSlice>[2];
}

/** Keeps members as a slice, with the settings of now and a hash over all that was found. In a transaction. */
export async function freezeSlice(
  store: Store,
  call: Call,
  project: projectRows.FoundProject,
  { name, query, ranked_by, coverage, members }: FoundMembers,
): Promise<SliceRow> {
  const scope = { ...scopeOf(store, call), database: store.database };
  const row: SliceRow = {
    tenant_id: scope.tenant_id,
    id: newId('slc'),
    project_id: project.id,
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
  return row;
}
