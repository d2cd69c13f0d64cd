import { idPattern } from '#core';
import type { ThreadSummary } from '#core/api';
import { copilotThreadRows, type Store } from '#store';
import { actorId } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { threadSummaryOf } from './threads.ts';

export interface ThreadListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The caller's own threads, newest first. */
export async function listThreads(
  store: Store,
  call: Call,
  { limit, cursor }: ThreadListQuery,
): Promise<Page<ThreadSummary>> {
  requireRole(call, 'viewer');
  const rows = await copilotThreadRows.listThreads(scopeOf(store, call), {
    owner_id: actorId(call),
    before: readCursor(cursor, idPattern('thr')),
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, ({ id }) => id, threadSummaryOf);
}
