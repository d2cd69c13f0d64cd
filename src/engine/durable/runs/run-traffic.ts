import { Traffic } from '#io/sources/web';
import type { RunRow } from '#store';
import type { Engine } from '../engine.ts';
import { type RunRef, runKey, runRef } from './run.ts';

/** Counter of the bytes that this process has downloaded for one attempt at a run. */
interface RunTraffic {
  readonly traffic: Traffic;
  /** Part of `traffic.fetched_bytes` that the run's row contains. */
  stored_bytes: number;
}

/** Maximum number of runs whose traffic is counted at a time. */
const maxRuns = 32;
const trafficByEngine = new WeakMap<Engine, Map<string, RunTraffic>>();

function entryOf(engine: Engine, ref: RunRef): RunTraffic {
  const own = trafficByEngine.get(engine) ?? new Map<string, RunTraffic>();
  trafficByEngine.set(engine, own);
  const key = runKey(ref);
  const entry = own.get(key) ?? { traffic: new Traffic(), stored_bytes: 0 };
  own.set(key, entry);
  for (const old of own.keys()) if (own.size > maxRuns) own.delete(old);
  return entry;
}

/** Returns the download counter of an attempt at a run, which this process creates when first requested. */
export const runTraffic = (engine: Engine, ref: RunRef): Traffic => entryOf(engine, ref).traffic;

/** Returns the bytes that this process has downloaded but not stored in the run's row. */
export function unstoredBytes(engine: Engine, ref: RunRef): number {
  const { traffic, stored_bytes } = entryOf(engine, ref);
  return traffic.fetched_bytes - stored_bytes;
}

/**
 * Returns the total of downloaded bytes for the row of a locked run, and counts them as stored once the transaction is
 * committed.
 */
export function storeFetched(engine: Engine, run: RunRow): Pick<RunRow, 'bytes_fetched'> {
  const entry = entryOf(engine, runRef(run));
  const { fetched_bytes } = entry.traffic;
  const bytes_fetched = run.bytes_fetched + fetched_bytes - entry.stored_bytes;
  engine.store.database.afterCommit(() => {
    entry.stored_bytes = fetched_bytes;
  });
  return { bytes_fetched };
}
