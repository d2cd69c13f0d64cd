import { endExport, exportOf, exportPrefix, refOfExport } from '#engine';
import { exportRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type ExportPath, loadExport } from './load-export.ts';

/**
 * Deletes an export and its files; one under way is cancelled. A sealed one needs an admin. Throws `not_found`,
 * `storage_unavailable`: then the rest of the files goes a while after.
 */
export async function deleteExport(store: Store, call: Call, path: ExportPath): Promise<void> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const ref = await store.database.transaction(async () => {
    const row = await loadExport(store, call, path, true);
    if (row.status === 'sealed') requireRole(call, 'admin');
    if (row.status === 'queued' || row.status === 'running')
      await endExport(store, row, { status: 'cancelled', error: null });
    // A process that dies before the files are gone has them deleted by this.
    else
      await store.queue.send('export_steps', [{ ...refOfExport(row), step: 'sweep' }], { after_s: sweep_s });
    await exportRows.deleteExport(scope, row.id);
    await appendAudit(store, call, {
      action: 'delete_export',
      object_type: 'export',
      object_id: row.id,
      before: exportOf(row),
      after: null,
      detail: { project_id: row.project_id, seal: row.seal },
    });
    return refOfExport(row);
  });
  const keys: string[] = [];
  for await (const { key } of store.blobs.list(`${exportPrefix(ref)}/`)) keys.push(key);
  await store.blobs.delete(keys);
}

const sweep_s = 300;
