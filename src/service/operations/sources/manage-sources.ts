import { AssayError, idPattern } from '#core';
import type { Source, SourceFile } from '#core/api';
import { deleteListings } from '#engine';
import {
  exportRows,
  listStagedBefore,
  projectRows,
  removeStaged,
  type Store,
  sourceRows,
  type TenantScope,
  uploadFileRows,
} from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf, systemCall } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { noSource, sourceFileOf, sourceOf } from './views.ts';

/** Page of a project's sources. */
export interface SourceQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists a project's sources, newest first. Throws `not_found` for the project. */
export async function listSources(store: Store, call: Call, query: SourceQuery): Promise<Page<Source>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await sourceRows.listSources(scope, {
    project_id: query.project_id,
    before: readCursor(query.cursor, idPattern('src')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, sourceOf);
}

/** Returns a source. Throws `not_found`. */
export async function getSource(
  store: Store,
  call: Call,
  { source_id }: { readonly source_id: string },
): Promise<Source> {
  requireRole(call, 'viewer');
  const row = await sourceRows.getSource(scopeOf(store, call), source_id);
  if (row === null) throw noSource();
  return sourceOf(row);
}

/** Filter and page of a source's files. */
interface SourceFileQuery {
  readonly source_id: string;
  readonly state: 'all' | 'unfinished';
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the files of an upload by path; other sources have none here. Throws `not_found`. */
export async function listSourceFiles(
  store: Store,
  call: Call,
  query: SourceFileQuery,
): Promise<Page<SourceFile>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const source = await sourceRows.getSource(scope, query.source_id);
  if (source === null) throw noSource();
  const cursor = readCursor(query.cursor, /^[A-Za-z0-9_-]+$/);
  const rows = await uploadFileRows.listUploadFiles(scope, {
    source_id: source.id,
    after: cursor === null ? null : Buffer.from(cursor, 'base64url').toString(),
    limit: query.limit + 1,
    unfinished: query.state === 'unfinished',
  });
  return pageOfRows(rows, query.limit, ({ path }) => Buffer.from(path).toString('base64url'), sourceFileOf);
}

/**
 * Deletes a source and audits this: its row if it has no runs, else it is marked `gone`. Uploaded files are deleted. Throws
 * `not_found`, `conflict` while a run is open or an export depends on it, `storage_unavailable`.
 */
export async function deleteSource(
  store: Store,
  call: Call,
  { source_id }: { readonly source_id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const removed = await store.database.transaction(async () => {
    const row = await sourceRows.getSource(scope, source_id, 'update');
    if (row === null) throw noSource();
    const runs = await sourceRows.findRunsOfSource(scope, source_id);
    if (runs.open !== null) {
      throw new AssayError('conflict', 'a run of this source is in progress', {
        advice: `wait until it has finished, or cancel it with POST /v1/runs/${runs.open}/cancel`,
        details: { run_id: runs.open },
      });
    }
    await requireNoDependentExport(scope, source_id);
    const files = await uploadFileRows.listUploadIds(scope, source_id);
    await uploadFileRows.deleteUploadFiles(scope, source_id);
    if (runs.any) await sourceRows.updateSource(scope, source_id, { state: 'gone', expires_at: null });
    else await sourceRows.deleteSource(scope, source_id);
    await appendAudit(store, call, {
      action: 'delete_source',
      object_type: 'source',
      object_id: source_id,
      before: sourceOf(row),
      after: runs.any ? sourceOf({ ...row, state: 'gone', expires_at: null }) : null,
      detail: { name: row.name },
    });
    return { row, files };
  });
  // After the commit, so that bytes that a row names are never missing; a crash leaves orphans that are swept later.
  if (removed.row.location.kind === 'web') return deleteListings(store, removed.row);
  if (removed.row.location.kind !== 'upload') return;
  await removeStaged(store, removed.files);
  const keys: string[] = [];
  for await (const { key } of store.blobs.list(`${removed.row.location.key}/`)) keys.push(key);
  await store.blobs.delete(keys);
}

/**
 * Throws `conflict` if a sealed or unfinished export depends on the source: a sealed export must stay reproducible.
 */
async function requireNoDependentExport(scope: TenantScope, source_id: string): Promise<void> {
  const holding = await exportRows.findBlockingExport(scope, source_id);
  if (holding === null) return;
  const { id, status } = holding;
  throw new AssayError(
    'conflict',
    `the export ${id} uses this source and ${status === 'sealed' ? 'is sealed' : 'is in progress'}`,
    {
      advice:
        status === 'sealed'
          ? 'the source cannot be removed while the sealed export exists; an admin can delete the export'
          : 'wait until it has finished, or cancel it',
      details: { export_id: id },
    },
  );
}

/** Age in ms from which a staged file without a row counts as orphan; a new file may not have its row yet. */
const minOrphanAge_ms = 60 * 60 * 1000;

/** Deletes expired uploads and staged bytes that no upload names; returns the number of each. */
export async function sweepUploads(
  store: Store,
  now: Date,
): Promise<{ readonly uploads: number; readonly files: number }> {
  const expired = await uploadFileRows.listExpiredUploads(store.database, now);
  for (const { tenant_id, id } of expired) {
    await deleteSource(store, systemCall(tenant_id, 'upload expiry', now), { source_id: id });
  }
  return { uploads: expired.length, files: await sweepStaging(store, now) };
}

async function sweepStaging(store: Store, now: Date): Promise<number> {
  const old = await listStagedBefore(store, new Date(now.getTime() - minOrphanAge_ms));
  const named = await uploadFileRows.findReceiving(store.database, old);
  const orphans = old.filter((name) => !named.has(name));
  await removeStaged(store, orphans);
  return orphans.length;
}
