import type { RunStatus, Store } from '#store';

/** Runs of every tenant by status, for whoever watches the service: numbers only. */
export async function countRuns(store: Store): Promise<ReadonlyMap<RunStatus, number>> {
  const { rows } = await store.database.query('SELECT status, count(*) AS runs FROM runs GROUP BY status');
  return new Map(rows.map(({ status, runs }) => [status as RunStatus, Number(runs)]));
}
