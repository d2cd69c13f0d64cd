import { AssayError } from '#core';
import { type RunRow, runRows, runWorkRows, sourceRows } from '#store';
import { decodersPerThread } from '../../large-work.ts';
import { resolveRecordings } from '../../resolve-recordings.ts';
import type { RunBrief } from '../../steps/messages.ts';
import type { Engine } from '../engine.ts';
import { type RunRef, runKey, runRef, runWork } from './run.ts';
import { runTraffic } from './run-traffic.ts';

/** Maximum number of cached briefs, for the runs that a process works on at once. */
const maxBriefs = 4;
const briefCache = new WeakMap<Engine, Map<string, Promise<RunBrief>>>();

/**
 * Returns the description of a run that its threads need (recordings, settings, datasets, blob prefix), cached per attempt.
 * Throws as `resolveRecordings`.
 */
export function getBrief(engine: Engine, ref: RunRef): Promise<RunBrief> {
  const key = runKey(ref);
  const own = briefCache.get(engine) ?? new Map<string, Promise<RunBrief>>();
  briefCache.set(engine, own);
  const cached = own.get(key);
  if (cached !== undefined) return cached;
  const brief = loadBrief(engine, ref);
  own.set(key, brief);
  brief.catch(() => own.delete(key));
  for (const old of own.keys()) if (own.size > maxBriefs) own.delete(old);
  return brief;
}

async function loadBrief(engine: Engine, ref: RunRef): Promise<RunBrief> {
  const { database } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const run = await runRows.getRun(scope, ref.run_id);
  if (run === null) throw new AssayError('not_found', 'the run was deleted');
  return {
    key: runKey(ref),
    blob_prefix: blobPrefix(ref),
    recordings: await resolveRunRecordings(engine, run),
    settings: run.settings,
    kind: run.kind_override,
    episodes_expected: run.episodes_expected,
    media_children: decodersPerThread(run.episodes_expected, run.bytes_expected, engine.threads.threads),
    datasets: await runWorkRows.datasetsAsJson(runWork(engine.store, ref)),
  };
}

/** Returns the prefix of all blob keys of a run. */
export const blobPrefix = ({ tenant_id, run_id }: RunRef): string => `${tenant_id}/${run_id}`;

/** Returns the key prefix of a run's report. */
export const reportPrefix = (blob_prefix: string): string => `${blob_prefix}/report`;

/**
 * Returns the recordings of a run's source in the revision of the run; an unused folder for a rescore, which reads none.
 * @throws `not_found` if the source was deleted
 */
export async function resolveRunRecordings(engine: Engine, run: RunRow) {
  if (run.type === 'rescore') return { kind: 'folder' as const, path: '/' };
  const { store } = engine;
  const { tenant_id, source_id, source_revision: revision } = run;
  const source = await sourceRows.getSource({ sql: store.database.sql, tenant_id }, source_id);
  if (source === null) throw new AssayError('not_found', 'the source was deleted');
  return resolveRecordings(store, source, { revision, traffic: runTraffic(engine, runRef(run)) });
}
