import { type Store, sliceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { SliceKey } from './get-slice.ts';
import { auditedSlice, noSlice } from './views.ts';

/** Deletes a slice, a locked one only for an admin. Throws `not_found`, `forbidden`. */
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
