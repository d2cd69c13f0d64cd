import { AssayError, canonicalJson, type JsonObject, limitConcurrency, limits, sha256 } from '#core';
import type { ReadinessSettings, Run } from '#core/api';
import type { Kind } from '#core/episode';
import type { RecordingsRef } from '#io/sources';
import { type RunLayer, type RunRow, runRows, runWorkRows, type Store } from '#store';
import type { LookAnswer, UnitsPart } from '../../steps/messages.ts';
import { doInThread } from '../../threads/path-threads.ts';
import { createThreadHooks, type WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import {
  addRunEvents,
  publishFindings,
  type RunRef,
  runKey,
  runRef,
  runWork,
  toRun,
  updateRun,
} from './run.ts';
import { resolveRunRecordings } from './run-brief.ts';
import { estimateRun, replaceReservation, reserveForRun } from './run-costs.ts';
import { runKind, withRun } from './run-kind.ts';
import { storeFetched } from './run-traffic.ts';

let lastLook: Promise<unknown> = Promise.resolve();
const webLooks = limitConcurrency(2);

/**
 * Finds the datasets of recordings for a plan, in a worker thread: one call at a time, or two for web sources, which time out
 * with `storage_unavailable`. Recordings behind an address do not keep others waiting. Throws as `findDatasets`, `unfinished`,
 * `storage_unavailable` if a web server answers too slowly.
 */
export function lookAtRecordings(recordings: RecordingsRef): Promise<LookAnswer> {
  if (recordings.kind === 'web') return webLooks(() => lookInTime(recordings));
  const looking = lastLook.then(() => doInThread({ type: 'look', recordings, key: null }, {}));
  lastLook = looking.catch(() => {});
  return looking;
}

async function lookInTime(recordings: RecordingsRef & { readonly kind: 'web' }): Promise<LookAnswer> {
  const signal = AbortSignal.timeout(limits.storage.web_look_ms.value);
  try {
    return await doInThread({ type: 'look', recordings, key: null }, {}, signal);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    throw new AssayError('storage_unavailable', `${recordings.label} answers too slowly`, {
      advice: 'try again later (downloaded data is kept), or use the address of a subfolder',
      cause: thrown,
    });
  }
}

/**
 * Reserves the expected cost of a new run, publishes it, queues its first stage and returns it in the API form; called in the
 * transaction that added it. Throws `budget_exceeded`.
 */
export async function launchRun(store: Store, row: RunRow, seconds: number): Promise<Run> {
  const reservation_id = await reserveForRun(store, row, seconds);
  const scope = { sql: store.database.sql, tenant_id: row.tenant_id };
  if (reservation_id !== null) await runRows.updateRun(scope, row.id, { reservation_id });
  const launched = toRun(row);
  await addRunEvents(store, row, 'run', [JSON.stringify(launched)]);
  await queueStage(store, row);
  return launched;
}

/**
 * Finds the datasets of a run's source, stores its datasets and units in place of earlier ones, reserves the estimated cost,
 * and queues the units for measuring. Throws `budget_exceeded`.
 */
export async function lookStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): Promise<void> {
  const recordings = await resolveRunRecordings(engine, context.row);
  const units: UnitsPart['units'][] = [];
  engine.threads.prepare();
  const onUnits = async (part: unknown) => {
    units.push((part as UnitsPart).units);
    return true;
  };
  const hooks = createThreadHooks(engine, runKind, ref, context, onUnits);
  const found = await engine.threads.do({ type: 'look', recordings, key: runKey(ref) }, hooks);
  const keep = (run: RunRow) => saveLook(engine, ref, run, { ...found, parts: units });
  await withRun(engine, ref, 'look', keep, context.stop);
}

interface LookOutcome extends LookAnswer {
  readonly parts: readonly UnitsPart['units'][];
}

async function saveLook(engine: Engine, ref: RunRef, run: RunRow, found: LookOutcome): Promise<void> {
  const { store } = engine;
  const work = { database: store.database, tenant_id: ref.tenant_id, run_id: ref.run_id };
  await runWorkRows.clearLook(work);
  await runWorkRows.insertDatasets(work, found.datasets);
  for (const units of found.parts) await runWorkRows.insertUnits(work, units);
  const { findings } = found;
  const estimate = await estimateRun(store, run, found);
  const { compute_s: estimate_s } = estimate;
  const changed = await updateRun(store, run, {
    stage: found.units > 0 ? 'measure' : 'compare',
    stage_started_at: new Date(),
    stage_base: 0,
    findings: [...findings],
    plan_hash: planHash({ ...found, ...run, kind: run.kind_override, revision: run.source_revision }),
    estimate_s,
    estimate,
    reservation_id: await replaceReservation(store, run, estimate_s),
    episodes_expected: found.episodes,
    bytes_expected: found.bytes,
    ...storeFetched(engine, run),
  });
  await publishFindings(store, run, findings);
  await queueStage(store, changed);
}

/**
 * Queues the work of a run's current stage, or the following step if no unit is left to measure or judge; called in the
 * transaction that changed the stage.
 */
export async function queueStage(
  { database, queue }: Pick<Store, 'database' | 'queue'>,
  run: RunRow,
): Promise<void> {
  const ref = runRef(run);
  const { stage } = run;
  const step = (name: string) => queue.send('run_steps', [{ ...ref, step: name }]);
  if (stage !== 'measure' && stage !== 'judge') return step(stage);
  const open = await runWorkRows.listUnitSizes(
    runWork({ database }, ref),
    stage === 'measure' ? 'waiting' : 'measured',
  );
  if (open.length === 0) return step(stage === 'measure' ? 'compare' : 'finish');
  const items = cutRanges(open, stage).map(([from, to]) => ({ ...ref, stage, from, to }));
  await queue.send('run_units', items, { shares: true });
}

/** Size of a unit. */
interface SizedUnit {
  readonly place: number;
  readonly episodes: number;
  readonly bytes: number;
}

/**
 * Maximum size of a queued range: large enough that queueing costs nothing, small enough that workers finish
 * together. Neighbouring units mostly belong to one file, whose hash and footer a worker then computes once.
 */
const maxRangeSize = {
  measure: { episodes: 256, bytes: 64e6, units: 64 },
  judge: { episodes: 1000, bytes: Number.POSITIVE_INFINITY, units: 500 },
} as const;

/** Cuts units into ranges and returns the first and last place of each. */
function cutRanges(
  units: readonly SizedUnit[],
  stage: keyof typeof maxRangeSize,
): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  let sum = { episodes: 0, bytes: 0, units: 0 };
  for (const { place, episodes, bytes } of units) {
    const last = ranges.at(-1);
    if (last === undefined || isFull(sum, maxRangeSize[stage])) {
      ranges.push([place, place]);
      sum = { episodes: 0, bytes: 0, units: 0 };
    } else last[1] = place;
    sum = { episodes: sum.episodes + episodes, bytes: sum.bytes + bytes, units: sum.units + 1 };
  }
  return ranges;
}

type Sum = Omit<SizedUnit, 'place'> & { readonly units: number };

const isFull = (sum: Sum, limit: Sum): boolean =>
  sum.episodes >= limit.episodes || sum.bytes >= limit.bytes || sum.units >= limit.units;

/** Returns a SHA-256 of what determines the result of a run: data, settings, pinned kind, layers and revision. */
export function planHash({
  found_hash,
  settings,
  kind,
  layers,
  revision,
}: {
  readonly found_hash: string;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  readonly layers: readonly Pick<RunLayer, 'layer' | 'config'>[];
  /** Revision of a web source; null for others. */
  readonly revision: string | null;
}): string {
  const annotated = layers.map(({ layer, config }) => ({ layer, config }));
  const plan = { found_hash, settings, kind, layers: annotated, ...(revision === null ? {} : { revision }) };
  return sha256(canonicalJson(plan as unknown as JsonObject));
}
