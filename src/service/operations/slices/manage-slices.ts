import { AssayError, idPattern, newId } from '#core';
import type { SearchQuery, Slice, SliceMember } from '#core/api';
import { resolveSettings } from '#quality/readiness';
import { projectRows, type SliceRow, type Store, searchCountRows, searchRows, sliceRows } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { summaryOf } from '../episodes/views.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { effectiveSettings } from '../readiness/effective-settings.ts';
import { resolveQuery } from '../search/resolve-query.ts';
import {
  computeCoverage,
  describeRanking,
  hashResult,
  type RankedQuery,
  toScore,
} from '../search/search-project.ts';
import { auditedSlice, noSlice, sliceOf } from './views.ts';

/** A slice to create from a query. */
export interface NewSlice {
  readonly project_id: string;
  readonly name: string;
  readonly query: SearchQuery;
  /** Most members: the best hits. */
  readonly most: number;
}

/**
 * Stores the current hits of a query as a slice, audits this and returns the slice; later judgements and additions do not
 * change it. Throws as `resolveQuery`.
 */
export async function createSlice(
  store: Store,
  call: Call,
  { project_id, name, query, most }: NewSlice,
): Promise<Slice> {
  requireRole(call, 'reviewer');
  const scope = { ...scopeOf(store, call), database: store.database };
  // A model may have to be loaded for it, which a transaction must not wait for.
  const { search, project, moment, note } = await resolveQuery(store, scope, project_id, query);
  return store.database.transaction(async () => {
    const coverage = computeCoverage(search.ranking, await searchCountRows.countRanked(scope, search));
    const best = await searchRows.bestMembers(scope, search, most);
    const members = best.map(({ episode_id, receipt_hash, far }) => {
      return { episode_id, receipt_hash, score: toScore(search.ranking, far) };
    });
    const ranked_by = describeRanking(search.ranking, { moment, note, exact: true });
    const row = await freezeSlice(store, call, project, { name, query, ranked_by, coverage, members });
    return sliceOf(row);
  });
}

/** Ids that name a slice. */
export interface SliceKey {
  readonly project_id: string;
  readonly slice_id: string;
}

/** Returns a slice. Throws `not_found`. */
export async function getSlice(store: Store, call: Call, key: SliceKey): Promise<Slice> {
  requireRole(call, 'viewer');
  const row = await sliceRows.getSlice(scopeOf(store, call), key);
  if (row === null) throw noSlice();
  return sliceOf(row);
}

/** Page of a project's slices. */
interface SliceQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists a project's slices, newest first. Throws `not_found` for the project. */
export async function listSlices(store: Store, call: Call, query: SliceQuery): Promise<Page<Slice>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(query.cursor, idPattern('slc'));
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await sliceRows.listSlices(scope, {
    project_id: query.project_id,
    before,
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, sliceOf);
}

/** Page of a slice's members. */
interface MemberQuery extends SliceKey {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Lists the members of a slice in rank order, each with the current state of its episode; null if that was deleted.
 * Throws `not_found`.
 */
export async function listSliceMembers(
  store: Store,
  call: Call,
  { limit, cursor, ...key }: MemberQuery,
): Promise<Page<SliceMember>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const after = Number(readCursor(cursor, /^\d{1,6}$/) ?? -1);
  if ((await sliceRows.getSlice(scope, key)) === null) throw noSlice();
  const project = await projectRows.getProject(scope, key.project_id);
  const rows = await sliceRows.listMembers(scope, { slice_id: key.slice_id, after, limit: limit + 1 });
  return pageOfRows(
    rows,
    limit,
    ({ place }) => String(place),
    ({ place, member_id, receipt_hash, score, episode }) => ({
      place,
      episode_id: member_id,
      receipt_hash,
      score,
      episode:
        episode === null ? null : summaryOf(episode, key.project_id, project?.data_kind_override ?? null),
    }),
  );
}

/**
 * Locks a slice as an evaluation set, audits this and returns it; only an admin can then delete it. A locked slice is returned
 * unchanged. Throws `not_found`, `conflict` if it is empty.
 */
export async function promoteSlice(store: Store, call: Call, key: SliceKey): Promise<Slice> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await sliceRows.getSlice(scope, key, 'update');
    if (row === null) throw noSlice();
    if (row.locked_at !== null) return sliceOf(row);
    if (row.episodes === 0)
      throw new AssayError('conflict', `the slice ${row.name} has no episodes to evaluate on`, {
        advice: 'create a slice with episodes',
      });
    const lock = { locked_at: call.now, locked_by: actorId(call) };
    await sliceRows.lockSlice(scope, key, lock);
    const locked = { ...row, ...lock };
    await appendAudit(store, call, {
      action: 'promote_slice',
      object_type: 'slice',
      object_id: row.id,
      before: auditedSlice(row),
      after: auditedSlice(locked),
      detail: { name: row.name, episodes: row.episodes, response_hash: row.response_hash },
    });
    return sliceOf(locked);
  });
}

/** Deletes a slice and audits this; a locked one needs an admin. Throws `not_found`, `forbidden`. */
export async function deleteSlice(store: Store, call: Call, key: SliceKey): Promise<void> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    const row = await sliceRows.getSlice(scope, key, 'update');
    if (row === null) throw noSlice();
    if (row.locked_at !== null) requireRole(call, 'admin');
    await sliceRows.deleteSlice(scope, key);
    await appendAudit(store, call, {
      action: 'delete_slice',
      object_type: 'slice',
      object_id: row.id,
      before: auditedSlice(row),
      after: null,
      detail: { name: row.name, episodes: row.episodes, locked: row.locked_at !== null },
    });
  });
}

/** Query, ranking, coverage and members of a slice to store. */
interface SliceContent extends RankedQuery {
  readonly name: string;
  readonly members: Parameters<typeof sliceRows.insertSlice>[2];
}

/**
 * Stores and audits a slice with the current settings hash and a hash over query, ranking, coverage and members, and returns
 * its row. Call it within a transaction.
 */
export async function freezeSlice(
  store: Store,
  call: Call,
  project: projectRows.FoundProject,
  { name, query, ranked_by, coverage, members }: SliceContent,
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
    response_hash: hashResult({ query, ranked_by, coverage }, { members }),
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
