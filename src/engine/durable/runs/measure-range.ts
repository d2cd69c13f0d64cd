import { parseJson, toJson } from '#core';
import type { Incomplete } from '#core/api';
import type { Finding } from '#core/episode';
import { type Places, type RunRow, runRows, runWorkRows } from '#store';
import { retryQuietly } from '../../retry.ts';
import { lostUnitRow, notFinished, unfinishedError } from '../../steps/measure/unit-faults.ts';
import type { MeasuredPart } from '../../steps/messages.ts';
import type { MeasureUnit } from '../../steps/units.ts';
import type { RangeStep } from '../../threads/do-range.ts';
import { createThreadHooks, failLockedWork, toWorkError, type WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { queueStage } from './launch-run.ts';
import { publishFindings, type RunRef, runWork, updateRun } from './run.ts';
import { getBrief } from './run-brief.ts';
import { publishRunProgress, runKind, withRun } from './run-kind.ts';
import { storeFetched } from './run-traffic.ts';

/**
 * Returns the step that measures units of a run. A unit that crashes its thread again and again is recorded as not measured;
 * the run then fails once the others are measured, and can be resumed.
 */
export function measureStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): RangeStep {
  const work = runWork(engine.store, ref);
  return {
    retryBatch: 1,
    listOpen: (places) => retryQuietly(engine, () => runWorkRows.listWaiting(work, places), context.stop),
    attempt: async (places, suspect) => {
      try {
        await measureUnits(engine, ref, { places, suspect }, context);
      } finally {
        if (suspect) await retryQuietly(engine, () => runWorkRows.clearSuspicion(work, places));
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
  const hooks = createThreadHooks(engine, runKind, ref, context, (part) =>
    commitMeasured(engine, ref, part as MeasuredPart, context),
  );
  await engine.threads.do({ type: 'measure', run: await getBrief(engine, ref), units }, hooks);
}

function claimUnits(engine: Engine, ref: RunRef, claiming: ClaimOptions, stop?: AbortSignal) {
  const options = { ...claiming, state: 'waiting', worker: engine.worker } as const;
  const work = runWork(engine.store, ref);
  return retryQuietly(engine, () => runWorkRows.claimUnits<MeasureUnit>(work, options), stop);
}

/** Commits measured units. Returns false if the run does not want them. */
async function commitMeasured(
  engine: Engine,
  ref: RunRef,
  { units, findings }: MeasuredPart,
  { uncommitted, stop }: Partial<WorkContext<RunRow>>,
): Promise<boolean> {
  const write = async (run: RunRow) => {
    const totals = await runWorkRows.commitMeasured(runWork(engine.store, ref), engine.worker, units);
    if (uncommitted !== undefined) {
      uncommitted.episodes = Math.max(0, uncommitted.episodes - totals.episodes - totals.unreadable);
      uncommitted.bytes = Math.max(0, uncommitted.bytes - totals.bytes);
    }
    const after = await addTotals(engine, run, totals);
    if (totals.units > 0) await publishFindings(engine.store, run, findings);
    await advanceRun(engine, ref, after);
    return true;
  };
  return (await withRun(engine, ref, 'measure', write, stop)) ?? false;
}

function addTotals(engine: Engine, run: RunRow, totals: runWorkRows.Totals): Promise<RunRow> {
  return runRows.updateRun({ sql: engine.store.database.sql, tenant_id: run.tenant_id }, run.id, {
    episodes_measured: run.episodes_measured + totals.episodes,
    episodes_unreadable: run.episodes_unreadable + totals.unreadable,
    bytes_measured: run.bytes_measured + totals.bytes,
    ...storeFetched(engine, run),
    compute_s: run.compute_s + totals.compute_s,
    waiting: null,
  });
}

/**
 * Continues with comparing when nothing is left to measure; otherwise publishes progress. If units could not be
 * measured here, the run fails and can be resumed: comparisons need all episodes of a dataset, and incomplete results
 * would end up in receipts.
 */
async function advanceRun(engine: Engine, ref: RunRef, run: RunRow): Promise<void> {
  const { store } = engine;
  const work = runWork(store, ref);
  if (await runWorkRows.hasUnitsInState(work, 'waiting')) return publishRunProgress(engine, run);
  const unfinished = (await runWorkRows.listErrors(work, notFinished)).map(toIncomplete);
  if (unfinished.length > 0)
    return failLockedWork(
      engine,
      runKind,
      ref,
      run,
      toWorkError(runKind, unfinishedError(unfinished, resumeAdvice)),
    );
  const stage = { stage: 'compare', stage_started_at: new Date(), stage_base: 0 } as const;
  await queueStage(store, await updateRun(store, run, stage));
}

const resumeAdvice =
  'resume the run, which measures only these units; if the same file fails again, remove it from the source';

const toIncomplete = ({ path, message, advice }: Finding): Incomplete => {
  return { path, episode: null, episodes: 0, reason: message, advice };
};

/** Records units as not measured; the others are still measured. */
async function giveUpUnits(engine: Engine, ref: RunRef, places: Places, why: string): Promise<void> {
  const { units } = await claimUnits(engine, ref, { places, suspect: false });
  const rows = parseJson(units).map((unit) => lostUnitRow(unit, why));
  if (rows.length === 0) return;
  const findings = rows.flatMap(({ error }) => (error === null ? [] : [error]));
  await commitMeasured(engine, ref, { type: 'measured', units: toJson(rows), findings }, {});
}
