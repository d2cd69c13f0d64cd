import { judgedRows, type RunRow, runRows, runWorkRows } from '#store';
import { patiently } from '../../patience.ts';
import type { JudgedPart } from '../../steps/messages.ts';
import type { JudgeUnit } from '../../steps/units.ts';
import { WorkerLost } from '../../workers/worker-thread.ts';
import type { RangeStep } from '../do-range.ts';
import type { WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { threadHooks } from '../thread-hooks.ts';
import { briefOf } from './briefs.ts';
import { queueStage } from './queue-stage.ts';
import { type RunRef, workOf } from './run-ref.ts';
import { changeRun } from './tell-run.ts';
import { runKind, tellProgress, withRun } from './with-run.ts';

/** Judges measured units. One that cannot be judged ends the run. */
export function judgeStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): RangeStep {
  const { store, worker, threads } = engine;
  return {
    together: Number.POSITIVE_INFINITY,
    open: async () => [],
    attempt: async (places) => {
      const claiming = { places, state: 'measured', worker, suspect: false } as const;
      const claim = () => runWorkRows.claimUnits<JudgeUnit>(workOf(store, ref), claiming);
      const { units, count } = await patiently(engine, claim, context.stop);
      if (count === 0) return;
      const request = { run: await briefOf(engine, ref), units, notes: context.row.notes ?? [] };
      const hooks = threadHooks(engine, runKind, ref, context, (part) =>
        commit(engine, ref, part as JudgedPart, context),
      );
      await threads.do({ type: 'judge', ...request }, hooks);
    },
    giveUp: async (_, why) => {
      throw new WorkerLost(why);
    },
  };
}

/** Somebody else has taken the units. */
class Fenced extends Error {}

/** False where the run, or whoever gave out the units, does not want them any more: then nothing is written. */
async function commit(
  engine: Engine,
  ref: RunRef,
  { count, units, episodes }: JudgedPart,
  { underWay, stop }: WorkContext<RunRow>,
): Promise<boolean> {
  const write = async (run: RunRow) => {
    const work = workOf(engine.store, ref);
    const judged = await judgedRows.commitJudgedUnits(work, engine.worker, units);
    if (judged.before === count) return true;
    if (judged.units + judged.before !== count) throw new Fenced();
    await judgedRows.upsertEpisodes({ ...work, ...run, run_id: run.id }, episodes);
    const done = judged.accept + judged.review + judged.reject;
    underWay.episodes = Math.max(0, underWay.episodes - done);
    await advance(engine, ref, await add(engine, run, judged));
    return true;
  };
  try {
    return (await withRun(engine, ref, 'judge', write, stop)) ?? false;
  } catch (thrown) {
    if (thrown instanceof Fenced) return false;
    throw thrown;
  }
}

function add(engine: Engine, run: RunRow, judged: judgedRows.JudgedTotals): Promise<RunRow> {
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

/** Has the run annotated, or concluded, when nothing is left to judge, else tells how far it is. */
async function advance(engine: Engine, ref: RunRef, run: RunRow): Promise<void> {
  const { store } = engine;
  if (await runWorkRows.anyLeft(workOf(store, ref), 'measured')) return tellProgress(engine, run);
  if (run.layers.length === 0) return queueStage(store, run);
  const stage = { stage: 'annotate', stage_started_at: new Date(), stage_base: 0 } as const;
  await queueStage(store, await changeRun(store, run, stage));
}
