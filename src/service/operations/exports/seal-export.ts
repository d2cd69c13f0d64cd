import { AssayError } from '#core';
import type { Export } from '#core/api';
import { exportOf } from '#engine';
import { exportRows, type Store, sourceRows } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { demandNotHeldOut } from './demand-not-held-out.ts';
import { type ExportPath, loadExport } from './load-export.ts';

/**
 * A person's word that an export is the one: it stays as it is, and its source is held. Throws `not_found`, `conflict` for
 * one that has not succeeded, or holds episodes that are kept for evaluation by now.
 */
export async function sealExport(store: Store, call: Call, path: ExportPath): Promise<Export> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await loadExport(store, call, path, true);
    if (row.status === 'sealed') return exportOf(row);
    if (row.status !== 'succeeded')
      throw new AssayError(
        'conflict',
        `only an export that has succeeded can be sealed; this one is ${row.status}`,
        {
          details: { status: row.status },
        },
      );
    if (row.purpose === 'training') await demandNotHeldOut(store, row);
    // Whoever deletes the source meanwhile sees the seal, or comes first.
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
    return exportOf(sealed);
  });
}
