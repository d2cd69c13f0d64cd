import { budgetRows, jobRows, type RunRow, type Store } from '#store';
import { cancelHeld } from '../jobs/cancel-held.ts';
import { hasEnded } from '../jobs/job-ref.ts';
import { straggling_s } from '../straggling.ts';
import { layersAfter, layersStopped } from './layers/layer-state.ts';
import { costOfRun, settleRun } from './run-budget.ts';
import { refOfRun } from './run-ref.ts';
import { changeRun } from './tell-run.ts';

/**
 * Ends a run that is held before its end: jobs of its layers are cancelled, what it took is charged, the rest of what
 * was reserved is given back, and blobs that nobody names are deleted a while after.
 */
export async function stopRun(
  store: Store,
  run: RunRow,
  end: Pick<RunRow, 'status' | 'error' | 'finished_at'>,
): Promise<RunRow> {
  const { database } = store;
  const scope = { sql: database.sql, tenant_id: run.tenant_id };
  const jobs = run.layers.length === 0 ? [] : await jobRows.lockJobsOfRun(scope, run.id);
  const open = jobs.filter(({ status }) => !hasEnded(status));
  // The budget is always held before events of jobs are written.
  if (open.length > 0) await budgetRows.lockBudget(scope, new Date());
  const settled = await settleRun(store, run);
  for (const job of open) if (job.status !== 'cancelling') await cancelHeld(store, job);
  const layers = layersStopped(layersAfter(run.layers, jobs));
  const cost_usd = costOfRun(store, { ...run, layers });
  await store.queue.send('run_steps', [{ ...refOfRun(run), step: 'sweep' }], { after_s: straggling_s });
  return changeRun(store, run, { ...settled, layers, cost_usd, waiting: null, ...end });
}
