import { jobRows, runRows, type Store } from '#store';
import { tellRun } from '../tell-run.ts';
import { annotatingOf } from '../views.ts';

/** Between two progress events of a run. */
const pause_ms = 300;

/** Tells how far the layers of a run are, unless that was told a moment ago; in a transaction of its own. */
export async function tellAnnotating(
  store: Store,
  { tenant_id, run_id }: { readonly tenant_id: string; readonly run_id: string },
): Promise<void> {
  const { database } = store;
  const scope = { sql: database.sql, tenant_id };
  const known = await runRows.getRun(scope, run_id);
  if (known === null || !isDue(known.progress_at)) return;
  await database.transaction(async () => {
    const run = await runRows.lockRun(scope, run_id);
    if (run?.status !== 'running' || run.stage !== 'annotate' || !isDue(run.progress_at)) return;
    const now = new Date();
    const progress = annotatingOf(run, await jobRows.listJobsOfRun(scope, run_id), now);
    await runRows.updateRun(scope, run_id, { progress_at: now });
    await tellRun(store, run, 'progress', [JSON.stringify(progress)]);
  });
}

const isDue = (told: Date | null): boolean => told === null || Date.now() - told.getTime() >= pause_ms;
