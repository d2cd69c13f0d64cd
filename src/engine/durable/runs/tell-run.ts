import type { Finding } from '#core/episode';
import { type RunRow, runEventRows, runRows, type Store } from '#store';
import { runEvents } from './follow-events.ts';
import { runOf } from './views.ts';

type Told = Pick<Store, 'database'>;
type Named = Pick<RunRow, 'tenant_id' | 'id'>;

/** Changes the row of a run that is held, and tells of it. */
export async function changeRun(
  store: Told,
  { tenant_id, id }: Named,
  change: Partial<RunRow>,
): Promise<RunRow> {
  const { database } = store;
  const run = await runRows.updateRun({ sql: database.sql, tenant_id }, id, change);
  await tellRun(store, run, 'run', [JSON.stringify(runOf(run))]);
  return run;
}

/** Adds events to a run that is held; `data` is JSON. */
export async function tellRun(
  { database }: Told,
  { tenant_id, id }: Named,
  event: 'run' | 'progress' | 'finding',
  data: readonly string[],
): Promise<void> {
  await runEventRows.addRunEvents(database, { tenant_id, run_id: id }, event, data);
  database.afterCommit(() => runEvents.wake(database));
}

/** Findings that are told as they come; the rest is in the run's list. */
const findingsTold = 100;

/** Tells the first findings of many. */
export async function tellFindings(store: Told, run: Named, findings: readonly Finding[]): Promise<void> {
  const told = findings.slice(0, findingsTold).map((one) => JSON.stringify(one));
  await tellRun(store, run, 'finding', told);
}
