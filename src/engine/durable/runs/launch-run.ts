import type { Run } from '#core/api';
import { type RunRow, runRows, type Store } from '#store';
import { queueStage } from './queue-stage.ts';
import { reserveForRun } from './run-budget.ts';
import { tellRun } from './tell-run.ts';
import { runOf } from './views.ts';

/**
 * Puts aside what a run that was added is expected to cost, tells of it, and queues its first stage; in the transaction
 * that added it. Throws `budget_exceeded`.
 */
export async function launchRun(store: Store, row: RunRow, seconds: number): Promise<Run> {
  const reservation_id = await reserveForRun(store, row, seconds);
  const scope = { sql: store.database.sql, tenant_id: row.tenant_id };
  if (reservation_id !== null) await runRows.updateRun(scope, row.id, { reservation_id });
  const launched = runOf(row);
  await tellRun(store, row, 'run', [JSON.stringify(launched)]);
  await queueStage(store, row);
  return launched;
}
