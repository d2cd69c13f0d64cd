import { AssayError, idPattern } from '#core';
import type { Export } from '#core/api';
import { endExport, exportNotFound, exportPrefix, exportRef, toExport } from '#engine';
import { type ExportRow, exportRows, projectRows, type Store, sourceRows } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { requireNotHeldOut } from './export-checks.ts';

/** Filters and page of a project's exports. */
export interface ExportQuery {
  readonly project_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: Export['status'] | undefined;
}

/** Lists a project's exports, newest first. Throws `not_found`. */
export async function listExports(store: Store, call: Call, query: ExportQuery): Promise<Page<Export>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, query.project_id)) === null) throw noProject();
  const rows = await exportRows.listExports(scope, {
    project_id: query.project_id,
    status: query.status ?? null,
    before: readCursor(query.cursor, idPattern('exp')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, toExport);
}

/** Returns an export. Throws `not_found`. */
export async function getExport(store: Store, call: Call, path: ExportPath): Promise<Export> {
  requireRole(call, 'viewer');
  return toExport(await loadExport(store, call, path));
}

/**
 * Cancels a queued or running export, audits this and returns it; after the commit workers can write nothing of it. A
 * cancelled export is returned unchanged. Throws `not_found`, `conflict` for an export that has ended.
 */
export async function cancelExport(store: Store, call: Call, path: ExportPath): Promise<Export> {
  requireRole(call, 'engineer');
  return store.database.transaction(async () => {
    const row = await loadExport(store, call, path, true);
    if (row.status === 'cancelled') return toExport(row);
    if (row.status !== 'queued' && row.status !== 'running')
      throw new AssayError('conflict', `the export has already ended (${row.status})`, {
        details: { status: row.status },
      });
    const ended = toExport(await endExport(store, row, { status: 'cancelled', error: null }));
    await appendAudit(store, call, {
      action: 'cancel_export',
      object_type: 'export',
      object_id: row.id,
      before: { status: row.status },
      after: { status: 'cancelled' },
      detail: { project_id: row.project_id },
    });
    return ended;
  });
}

/**
 * Seals an export as a person's approval, audits this and returns it; it then stays unchanged and its source cannot be
 * deleted. A sealed export is returned unchanged. Throws `not_found`, `conflict` if it has not succeeded or now holds episodes
 * that are held out for evaluation.
 */
export async function sealExport(store: Store, call: Call, path: ExportPath): Promise<Export> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await loadExport(store, call, path, true);
    if (row.status === 'sealed') return toExport(row);
    if (row.status !== 'succeeded')
      throw new AssayError('conflict', `only a finished export can be sealed; this one is ${row.status}`, {
        details: { status: row.status },
      });
    if (row.purpose === 'training') await requireNotHeldOut(store, row, 'kept');
    // Share lock, so that a concurrent deletion of the source either comes first or sees the seal.
    if (row.source_id !== null) await sourceRows.getSource(scope, row.source_id, 'share');
    const sealed = await exportRows.updateExport(scope, row.id, {
      status: 'sealed',
      sealed_at: call.now,
      sealed_by: actorId(call),
    });
    await appendAudit(store, call, {
      action: 'seal_export',
      object_type: 'export',
      object_id: row.id,
      before: { status: row.status },
      after: { status: 'sealed', seal: row.seal },
      detail: { project_id: row.project_id, seal: row.seal },
    });
    return toExport(sealed);
  });
}

/**
 * Deletes an export and its files, and audits this; a queued or running one is cancelled first. A sealed export needs an
 * admin. Throws `not_found`, `storage_unavailable`: the remaining files are then deleted later by a worker.
 */
export async function deleteExport(store: Store, call: Call, path: ExportPath): Promise<void> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const ref = await store.database.transaction(async () => {
    const row = await loadExport(store, call, path, true);
    if (row.status === 'sealed') requireRole(call, 'admin');
    if (row.status === 'queued' || row.status === 'running')
      await endExport(store, row, { status: 'cancelled', error: null });
    // Deletes the files later if this process dies before it has.
    else
      await store.queue.send('export_steps', [{ ...exportRef(row), step: 'sweep' }], {
        after_s: sweepDelay_s,
      });
    await exportRows.deleteExport(scope, row.id);
    await appendAudit(store, call, {
      action: 'delete_export',
      object_type: 'export',
      object_id: row.id,
      before: toExport(row),
      after: null,
      detail: { project_id: row.project_id, seal: row.seal },
    });
    return exportRef(row);
  });
  const keys: string[] = [];
  for await (const { key } of store.blobs.list(`${exportPrefix(ref)}/`)) keys.push(key);
  await store.blobs.delete(keys);
}

const sweepDelay_s = 300;

/** Ids that name an export. */
export interface ExportPath {
  readonly project_id: string;
  readonly export_id: string;
}

/** Loads an export of a project. `lock` locks the row until the transaction ends. Throws `not_found`. */
export async function loadExport(
  store: Store,
  call: Call,
  { project_id, export_id }: ExportPath,
  lock = false,
): Promise<ExportRow> {
  const read = lock ? exportRows.lockExport : exportRows.getExport;
  const row = await read(scopeOf(store, call), export_id);
  if (row === null || row.project_id !== project_id) throw exportNotFound();
  return row;
}
