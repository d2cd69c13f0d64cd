import { copilotThreadRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noThread } from './threads.ts';

/** Deletes one of the caller's own threads; what its turns did stays in the audit log. Throws `not_found`. */
export async function deleteThread(
  store: Store,
  call: Call,
  { thread_id }: { readonly thread_id: string },
): Promise<void> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const key = { owner_id: actorId(call), thread_id };
  await store.database.transaction(async () => {
    const row = await copilotThreadRows.getThread(scope, key, 'update');
    if (row === null) throw noThread();
    await copilotThreadRows.deleteThread(scope, key);
    await appendAudit(store, call, {
      action: 'delete_thread',
      object_type: 'copilot_thread',
      object_id: thread_id,
      before: { id: row.id, messages: row.messages },
      after: null,
    });
  });
}
