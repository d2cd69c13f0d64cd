import { type RunRow, runWorkRows } from '#store';
import type { LookAnswer, UnitsPart } from '../../steps/messages.ts';
import { createThreadHooks, type WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { planHash, queueStage } from './launch-run.ts';
import { publishFindings, type RunRef, runKey, updateRun } from './run.ts';
import { resolveRunRecordings } from './run-brief.ts';
import { estimateRun, replaceReservation } from './run-costs.ts';
import { runKind, withRun } from './run-kind.ts';

/**
 * Finds the datasets of the source, reserves the estimated cost, and queues the units for measuring. Throws
 * `budget_exceeded`.
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

async function saveLook({ store }: Engine, ref: RunRef, run: RunRow, found: LookOutcome): Promise<void> {
  const work = { database: store.database, tenant_id: ref.tenant_id, run_id: ref.run_id };
  await runWorkRows.clearLook(work);
  await runWorkRows.insertDatasets(work, found.datasets);
  for (const units of found.parts) await runWorkRows.insertUnits(work, units);
  const { findings } = found;
  const estimate = await estimateRun(store, run.source_id, found);
  const { compute_s: estimate_s } = estimate;
  const changed = await updateRun(store, run, {
    stage: found.units > 0 ? 'measure' : 'compare',
    stage_started_at: new Date(),
    stage_base: 0,
    findings: [...findings],
    plan_hash: planHash({ ...found, ...run, kind: run.kind_override }),
    estimate_s,
    estimate,
    reservation_id: await replaceReservation(store, run, estimate_s),
    episodes_expected: found.episodes,
    bytes_expected: found.bytes,
  });
  await publishFindings(store, run, findings);
  await queueStage(store, changed);
}
