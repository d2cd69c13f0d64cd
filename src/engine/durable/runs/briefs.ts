import { availableParallelism } from 'node:os';
import { AssayError } from '#core';
import { type RunRow, runRows, runWorkRows, sourceRows } from '#store';
import { isLarge } from '../../large-work.ts';
import { recordingsOf } from '../../recordings/recordings-of.ts';
import type { RunBrief } from '../../steps/messages.ts';
import type { Engine } from '../engine.ts';
import { type RunRef, runKey, workOf } from './run-ref.ts';

/** Briefs kept, for the runs that a process works on at once. */
const most = 4;
const kept = new WeakMap<Engine, Map<string, Promise<RunBrief>>>();

/** A run as its threads are told of it; made once an attempt. Throws as `recordingsOf`. */
export function briefOf(engine: Engine, ref: RunRef): Promise<RunBrief> {
  const key = runKey(ref);
  const own = kept.get(engine) ?? new Map<string, Promise<RunBrief>>();
  kept.set(engine, own);
  const known = own.get(key);
  if (known !== undefined) return known;
  const brief = makeBrief(engine, ref);
  own.set(key, brief);
  brief.catch(() => own.delete(key));
  for (const old of own.keys()) if (own.size > most) own.delete(old);
  return brief;
}

async function makeBrief(engine: Engine, ref: RunRef): Promise<RunBrief> {
  const { database } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const run = await runRows.getRun(scope, ref.run_id);
  if (run === null) throw new AssayError('not_found', 'the run is gone');
  return {
    key: runKey(ref),
    blob_prefix: blobPrefix(ref),
    recordings: await recordingsOfRun(engine, run),
    settings: run.settings,
    kind: run.kind_override,
    episodes_expected: run.episodes_expected,
    media_children: mediaChildren(engine, run),
    datasets: await runWorkRows.datasetsAsJson(workOf(engine.store, ref)),
  };
}

export const blobPrefix = ({ tenant_id, run_id }: RunRef): string => `${tenant_id}/${run_id}`;

/** Keys of a run's report start so. */
export const reportPrefix = (blob_prefix: string): string => `${blob_prefix}/report`;

/** Where the recordings of a run's source are opened. A rescore opens none. */
export async function recordingsOfRun({ store }: Engine, { tenant_id, source_id, type }: RunRow) {
  if (type === 'rescore') return { kind: 'folder' as const, path: '/' };
  const source = await sourceRows.getSource({ sql: store.database.sql, tenant_id }, source_id);
  if (source === null) throw new AssayError('not_found', 'the source was taken out');
  return recordingsOf(store, source);
}

/** Decoder processes a thread: one where memory counts for more than speed. */
function mediaChildren({ threads }: Engine, run: RunRow): number {
  if (isLarge(run.episodes_expected, run.bytes_expected)) return 1;
  return Math.max(1, Math.floor(availableParallelism() / threads.threads));
}
