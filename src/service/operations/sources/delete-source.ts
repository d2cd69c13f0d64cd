import { AssayError } from '#core';
import { exportRows, removeStaged, type Store, sourceRows, type TenantScope, uploadFileRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noSource, sourceOf } from './views.ts';

/**
 * Takes a source out: its row where nothing was run on it, else it is `gone`. Uploaded files are deleted. Throws
 * `not_found`, `conflict` while a run is open or an export rests on it, `storage_unavailable`.
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
    const runs = await sourceRows.runsOfSource(scope, source_id);
    if (runs.open !== null) {
      throw new AssayError('conflict', 'a run of this source has not ended', {
        advice: `POST /v1/runs/${runs.open}/cancel, or wait for its end`,
        details: { run_id: runs.open },
      });
    }
    await demandNotHeld(scope, source_id);
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
  // After the commit: bytes that a row names are never missing, and what a crash leaves here is swept as orphans.
  if (removed.row.location.kind !== 'upload') return;
  await removeStaged(store, removed.files);
  const keys: string[] = [];
  for await (const { key } of store.blobs.list(`${removed.row.location.key}/`)) keys.push(key);
  await store.blobs.delete(keys);
}

/** A sealed export can be made again as long as its source is there. */
async function demandNotHeld(scope: TenantScope, source_id: string): Promise<void> {
  const holding = await exportRows.findHolding(scope, source_id);
  if (holding === null) return;
  const { id, status } = holding;
  throw new AssayError(
    'conflict',
    `the export ${id} rests on this source and ${status === 'sealed' ? 'is sealed' : 'has not ended'}`,
    {
      advice:
        status === 'sealed'
          ? 'the source stays as long as the export does; an admin can delete the export'
          : 'wait for its end, or cancel it',
      details: { export_id: id },
    },
  );
}
