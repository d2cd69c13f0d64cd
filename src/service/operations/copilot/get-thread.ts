import type { Thread } from '#core/api';
import { copilotThreadRows, type Store } from '#store';
import { actorId } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noThread, threadOf } from './threads.ts';

/** One of the caller's own threads. Throws `not_found`. */
export async function getThread(
  store: Store,
  call: Call,
  { thread_id }: { readonly thread_id: string },
): Promise<Thread> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await copilotThreadRows.getThread(scope, { owner_id: actorId(call), thread_id });
  if (row === null) throw noThread();
  return threadOf(row, await copilotThreadRows.listMessages(scope, thread_id));
}
