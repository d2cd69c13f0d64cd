import { parseJson, toJson } from '#core';
import type { Incomplete } from '#core/api';
import type { Finding } from '#core/episode';
import { type MeasuredRow, type Places, type RunRow, runRows, runWorkRows } from '#store';
import { patiently } from '../../patience.ts';
import { findingOf, notFinished } from '../../steps/measure/not-finished.ts';
import { unfinishedError, unfinishedUnit } from '../../steps/measure/unfinished.ts';
import type { MeasuredPart } from '../../steps/messages.ts';
import type { MeasureUnit } from '../../steps/units.ts';
import { WorkerLost } from '../../workers/worker-thread.ts';
import type { RangeStep } from '../do-range.ts';
import type { WorkContext } from '../do-work.ts';
import { workError } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { failHeld } from '../held-work.ts';
import { threadHooks } from '../thread-hooks.ts';
import { briefOf } from './briefs.ts';
import { queueStage } from './queue-stage.ts';
import { type RunRef, workOf } from './run-ref.ts';
import { changeRun, tellFindings } from './tell-run.ts';
import { runKind, tellProgress, withRun } from './with-run.ts';

/** Measures units. One that cannot be measured here is written down, and ends the run when the others are measured. */
export function measureStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): RangeStep {
  const work = workOf(engine.store, ref);
  return {
    together: 1,
    open: (places) => patiently(engine, () => runWorkRows.listWaiting(work, places), context.stop),
    attempt: async (places, suspect) => {
      try {
        await measureUnits(engine, ref, { places, suspect }, context);
      } finally {
        if (suspect) await patiently(engine, () => runWorkRows.acquit(work, places));
      }
    },
    giveUp: (places, why) => giveUpUnits(engine, ref, places, why),
  };
}

type ClaimOptions = Pick<runWorkRows.ClaimUnitsOptions, 'places' | 'suspect'>;

async function measureUnits(
  engine: Engine,
  ref: RunRef,
  claiming: ClaimOptions,
  context: WorkContext<RunRow>,
): Promise<void> {
  const { units, count } = await claimUnits(engine, ref, claiming, context.stop);
  if (count === 0) return;
  const hooks = threadHooks(engine, runKind, ref, context, (part) =>
    commit(engine, ref, part as MeasuredPart, context),
  );
  await engine.threads.do({ type: 'measure', run: await briefOf(engine, ref), units }, hooks);
}

function claimUnits(engine: Engine, ref: RunRef, claiming: ClaimOptions, stop?: AbortSignal) {
  const options = { ...claiming, state: 'waiting', worker: engine.worker } as const;
  const work = workOf(engine.store, ref);
  return patiently(engine, () => runWorkRows.claimUnits<MeasureUnit>(work, options), stop);
}

/** False where the run does not want it any more. */
async function commit(
  engine: Engine,
  ref: RunRef,
  { units, findings }: MeasuredPart,
  { underWay, stop }: Partial<WorkContext<RunRow>>,
): Promise<boolean> {
  const write = async (run: RunRow) => {
    const totals = await runWorkRows.commitMeasured(workOf(engine.store, ref), engine.worker, units);
    if (underWay !== undefined) {
      underWay.episodes = Math.max(0, underWay.episodes - totals.episodes - totals.unreadable);
      underWay.bytes = Math.max(0, underWay.bytes - totals.bytes);
    }
    const after = await count(engine, run, totals);
    if (totals.units > 0) await tellFindings(engine.store, run, findings);
    await advance(engine, ref, after);
    return true;
  };
  return (await withRun(engine, ref, 'measure', write, stop)) ?? false;
}

function count({ store }: Engine, run: RunRow, totals: runWorkRows.Totals): Promise<RunRow> {
  return runRows.updateRun({ sql: store.database.sql, tenant_id: run.tenant_id }, run.id, {
    episodes_measured: run.episodes_measured + totals.episodes,
    episodes_unreadable: run.episodes_unreadable + totals.unreadable,
    bytes_measured: run.bytes_measured + totals.bytes,
    compute_s: run.compute_s + totals.compute_s,
    waiting: null,
  });
}

/**
 * Goes on to comparing when nothing is left to measure, else tells how far it is. Where units could not be measured here
 * the run ends, to be resumed: comparisons hold all episodes of a dataset against each other, and what they would say
 * without some would go into receipts.
 */
async function advance(engine: Engine, ref: RunRef, run: RunRow): Promise<void> {
  const { store } = engine;
  const work = workOf(store, ref);
  if (await runWorkRows.anyLeft(work, 'waiting')) return tellProgress(engine, run);
  const unfinished = (await runWorkRows.listErrors(work, notFinished)).map(incompleteOf);
  if (unfinished.length > 0)
    return failHeld(engine, runKind, ref, run, workError(runKind, unfinishedError(unfinished, resumeIt)));
  const stage = { stage: 'compare', stage_started_at: new Date(), stage_base: 0 } as const;
  await queueStage(store, await changeRun(store, run, stage));
}

const resumeIt =
  'resume the run, which then measures only these; where the same comes again at the same file, take it out of the source';

const incompleteOf = ({ path, message, advice }: Finding): Incomplete => {
  return { path, episode: null, episodes: 0, reason: message, advice };
};

/** Writes units down as not measured; the others are measured still. */
async function giveUpUnits(engine: Engine, ref: RunRef, places: Places, why: string): Promise<void> {
  const { units } = await claimUnits(engine, ref, { places, suspect: false });
  const rows = parseJson(units).map((unit) => lostRow(unit, why));
  if (rows.length === 0) return;
  const findings = rows.flatMap(({ error }) => (error === null ? [] : [error]));
  await commit(engine, ref, { type: 'measured', units: toJson(rows), findings }, {});
}

function lostRow({ place, attempt, unit }: MeasureUnit, why: string): MeasuredRow {
  return {
    place,
    attempt,
    state: 'failed',
    bytes: unit.bytes,
    episodes: 0,
    unreadable: 0,
    kinds: {},
    findings: [],
    error: findingOf(unfinishedUnit({ unit }, new WorkerLost(why))),
    measured_blob: null,
    pack_entry: null,
    shard_blob: null,
    compute_s: 0,
  };
}
