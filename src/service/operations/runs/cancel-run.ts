import { AssayError } from '#core';
import type { Run } from '#core/api';
import { noRun, runOf, stopRun } from '#engine';
import { runRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';

/**
 * Cancels a run and the jobs of its layers. It counts from the commit: workers can write nothing of it after, and stop when
 * they hear of it; what they have done of a layer until then stays. Throws `not_found`, `conflict` for a run that has ended.
 */
export async function cancelRun(
  store: Store,
  call: Call,
  { run_id }: { readonly run_id: string },
): Promise<Run> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await runRows.lockRun(scope, run_id);
    if (row === null) throw noRun();
    if (row.status === 'cancelled') return runOf(row);
    if (row.status !== 'queued' && row.status !== 'running') {
      throw new AssayError('conflict', `the run has ended: ${row.status}`, {
        details: { status: row.status },
      });
    }
    const end = { status: 'cancelled', error: null, finished_at: call.now } as const;
    const cancelled = runOf(await stopRun(store, row, end));
    await appendAudit(store, call, {
      action: 'cancel_run',
      object_type: 'run',
      object_id: run_id,
      before: { status: row.status, stage: row.stage },
      after: { status: 'cancelled', stage: row.stage },
      detail: { project_id: row.project_id },
    });
    return cancelled;
  });
}
