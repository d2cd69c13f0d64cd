import type { RunRow } from '#store';
import { runWorkRows } from '#store';
import type { LookAnswer, UnitsPart } from '../../steps/messages.ts';
import type { WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { threadHooks } from '../thread-hooks.ts';
import { recordingsOfRun } from './briefs.ts';
import { plannedRunSeconds } from './estimate.ts';
import { planHash } from './plan-hash.ts';
import { queueStage } from './queue-stage.ts';
import { reserveAnew } from './run-budget.ts';
import { type RunRef, runKey } from './run-ref.ts';
import { changeRun, tellFindings } from './tell-run.ts';
import { runKind, withRun } from './with-run.ts';

/**
 * Finds what the source holds, puts aside what it is estimated to cost, and hands out its units to be measured. Throws
 * `budget_exceeded`.
 */
export async function lookStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): Promise<void> {
  const recordings = await recordingsOfRun(engine, context.row);
  const units: UnitsPart['units'][] = [];
  engine.threads.prepare();
  const onUnits = async (part: unknown) => {
    units.push((part as UnitsPart).units);
    return true;
  };
  const hooks = threadHooks(engine, runKind, ref, context, onUnits);
  const found = await engine.threads.do({ type: 'look', recordings, key: runKey(ref) }, hooks);
  const keep = (run: RunRow) => keepFound(engine, ref, run, { ...found, parts: units });
  await withRun(engine, ref, 'look', keep, context.stop);
}

interface Found extends LookAnswer {
  readonly parts: readonly UnitsPart['units'][];
}

async function keepFound({ store }: Engine, ref: RunRef, run: RunRow, found: Found): Promise<void> {
  const work = { database: store.database, tenant_id: ref.tenant_id, run_id: ref.run_id };
  await runWorkRows.clearLook(work);
  await runWorkRows.insertDatasets(work, found.datasets);
  for (const units of found.parts) await runWorkRows.insertUnits(work, units);
  const { findings } = found;
  const estimate_s = plannedRunSeconds(found.planned);
  const changed = await changeRun(store, run, {
    stage: found.units > 0 ? 'measure' : 'compare',
    stage_started_at: new Date(),
    stage_base: 0,
    findings: [...findings],
    plan_hash: planHash({ ...found, ...run, kind: run.kind_override }),
    estimate_s,
    reservation_id: await reserveAnew(store, run, estimate_s),
    episodes_expected: found.episodes,
    bytes_expected: found.bytes,
  });
  await tellFindings(store, run, findings);
  await queueStage(store, changed);
}
