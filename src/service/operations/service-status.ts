import { AssayError, type ErrorCode } from '#core';
import type { Readiness } from '#core/api';
import { type RunStatus, requireDiskSpace, type Store } from '#store';

/** Timeout of one probe; shorter than the timeouts of load balancers. */
const probeTimeout_ms = 4000;
/** Lifetime of a result, so that the parts are probed at most once a second. */
const cacheLifetime_ms = 1000;

interface CachedReadiness {
  readonly at_ms: number;
  readonly readiness: Promise<Readiness>;
}
const lastChecks = new WeakMap<Store, CachedReadiness>();

/**
 * Probes database, blob store, disk and queue, and returns the kind of the database if all work; results are shared for a
 * second. Throws `database_unavailable` or `storage_unavailable` for a part that fails or does not answer in time, and for a
 * full disk.
 */
export async function checkReadiness(store: Store): Promise<Readiness> {
  const last = lastChecks.get(store);
  const now_ms = performance.now();
  if (last !== undefined && now_ms - last.at_ms < cacheLifetime_ms) return last.readiness;
  const readiness = probeAll(store);
  lastChecks.set(store, { at_ms: now_ms, readiness });
  return readiness;
}

async function probeAll({ database, blobs, queue, data_folder }: Store): Promise<Readiness> {
  await Promise.all([
    withTimeout(database.query('SELECT 1'), 'database_unavailable', 'the database'),
    withTimeout(blobs.probe(), 'storage_unavailable', 'the blob store'),
    withTimeout(requireDiskSpace(data_folder), 'storage_unavailable', 'the disk of the data folder'),
    withTimeout(queue.probe(), 'database_unavailable', 'the queue'),
  ]);
  return { status: 'ready', database: database.kind };
}

async function withTimeout(probe: Promise<unknown>, code: ErrorCode, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new AssayError(code, `${what} did not respond within ${probeTimeout_ms} ms`)),
      probeTimeout_ms,
    );
  });
  await Promise.race([probe, late]).finally(() => clearTimeout(timer));
}

/** Returns the number of runs of all tenants by status, for metrics; a status without runs is absent. */
export async function countRuns(store: Store): Promise<ReadonlyMap<RunStatus, number>> {
  const { rows } = await store.database.query('SELECT status, count(*) AS runs FROM runs GROUP BY status');
  return new Map(rows.map(({ status, runs }) => [status as RunStatus, Number(runs)]));
}
