import { AssayError } from '#core';
import type { Export } from '#core/api';
import { endExport, exportOf } from '#engine';
import type { Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole } from '../call.ts';
import { type ExportPath, loadExport } from './load-export.ts';

/** Cancels an export: from the commit on nothing of it is taken. Throws `not_found`, `conflict` for one that has ended. */
export async function cancelExport(store: Store, call: Call, path: ExportPath): Promise<Export> {
  requireRole(call, 'engineer');
  return store.database.transaction(async () => {
    const row = await loadExport(store, call, path, true);
    if (row.status === 'cancelled') return exportOf(row);
    if (row.status !== 'queued' && row.status !== 'running')
      throw new AssayError('conflict', `the export has ended: ${row.status}`, {
        details: { status: row.status },
      });
    const ended = exportOf(await endExport(store, row, { status: 'cancelled', error: null }));
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
