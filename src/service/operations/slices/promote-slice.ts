import { AssayError } from '#core';
import type { Slice } from '#core/api';
import { type Store, sliceRows } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { SliceKey } from './get-slice.ts';
import { auditedSlice, noSlice, sliceOf } from './views.ts';

/**
 * Locks a slice as an evaluation set, for good: only an admin can delete it. One that is locked stays as it is. Throws
 * `not_found`, and `conflict` where it is empty.
 */
export async function promoteSlice(store: Store, call: Call, key: SliceKey): Promise<Slice> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await sliceRows.getSlice(scope, key, 'update');
    if (row === null) throw noSlice();
    if (row.locked_at !== null) return sliceOf(row);
    if (row.episodes === 0)
      throw new AssayError('conflict', `the slice ${row.name} is empty: there is nothing to evaluate on`, {
        advice: 'make a slice that has episodes',
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
