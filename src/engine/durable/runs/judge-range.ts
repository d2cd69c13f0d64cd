import { judgedRows, type RunRow, runRows, runWorkRows } from '#store';
import { retryQuietly } from '../../retry.ts';
import type { JudgedPart } from '../../steps/messages.ts';
import type { JudgeUnit } from '../../steps/units.ts';
import type { RangeStep } from '../../threads/do-range.ts';
import { WorkerLost } from '../../workers/worker-thread.ts';
import { createThreadHooks, type WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { queueStage } from './launch-run.ts';
import { type RunRef, runWork, updateRun } from './run.ts';
import { getBrief } from './run-brief.ts';
import { publishRunProgress, runKind, withRun } from './run-kind.ts';

/** Returns the step that judges measured units. A unit that cannot be judged fails the run. */
export function judgeStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): RangeStep {
  const { store, worker, threads } = engine;
  return {
    retryBatch: Number.POSITIVE_INFINITY,
    listOpen: async () => [],
    attempt: async (places) => {
      const claiming = { places, state: 'measured', worker, suspect: false } as const;
      const claim = () => runWorkRows.claimUnits<JudgeUnit>(runWork(store, ref), claiming);
      const { units, count } = await retryQuietly(engine, claim, context.stop);
      if (count === 0) return;
      const request = { run: await getBrief(engine, ref), units, notes: context.row.notes ?? [] };
      const hooks = createThreadHooks(engine, runKind, ref, context, (part) =>
        commitJudged(engine, ref, part as JudgedPart, context),
      );
      await threads.do({ type: 'judge', ...request }, hooks);
    },
    giveUp: async (_, why) => {
      throw new WorkerLost(why);
    },
  };
}

/** Thrown if another worker has taken the units. */
class UnitsTaken extends Error {}

/**
 * Commits judged units. Returns false, with nothing written, if the run does not want them or another worker has
 * taken them.
 */
async function commitJudged(
  engine: Engine,
  ref: RunRef,
  { count, units, episodes }: JudgedPart,
  { uncommitted, stop }: WorkContext<RunRow>,
): Promise<boolean> {
  const write = async (run: RunRow) => {
    const work = runWork(engine.store, ref);
    const judged = await judgedRows.commitJudgedUnits(work, engine.worker, units);
    if (judged.before === count) return true;
    if (judged.units + judged.before !== count) throw new UnitsTaken();
    await judgedRows.upsertEpisodes({ ...work, ...run, run_id: run.id }, episodes);
    const done = judged.accept + judged.review + judged.reject;
    uncommitted.episodes = Math.max(0, uncommitted.episodes - done);
    await advanceRun(engine, ref, await addTotals(engine, run, judged));
    return true;
  };
  try {
    return (await withRun(engine, ref, 'judge', write, stop)) ?? false;
  } catch (thrown) {
    if (thrown instanceof UnitsTaken) return false;
    throw thrown;
  }
}

function addTotals(engine: Engine, run: RunRow, judged: judgedRows.JudgedTotals): Promise<RunRow> {
  const { accept, review, reject, compute_s } = judged;
  const { sql } = engine.store.database;
  return runRows.updateRun({ sql, tenant_id: run.tenant_id }, run.id, {
    episodes_judged: run.episodes_judged + accept + review + reject,
    accepted: run.accepted + accept,
    to_review: run.to_review + review,
    rejected: run.rejected + reject,
    compute_s: run.compute_s + compute_s,
    waiting: null,
  });
}

/** Continues with annotation or finishing when nothing is left to judge; otherwise publishes progress. */
async function advanceRun(engine: Engine, ref: RunRef, run: RunRow): Promise<void> {
  const { store } = engine;
  if (await runWorkRows.hasUnitsInState(runWork(store, ref), 'measured'))
    return publishRunProgress(engine, run);
  if (run.layers.length === 0) return queueStage(store, run);
  const stage = { stage: 'annotate', stage_started_at: new Date(), stage_base: 0 } as const;
  await queueStage(store, await updateRun(store, run, stage));
}
