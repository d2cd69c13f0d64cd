import { judgedRows, type RunRow, runRows, runWorkRows, type Stretch } from '#store';
import { patiently } from '../threads/patience.ts';
import type { JudgedPart } from '../threads/thread-messages.ts';
import { briefOf } from './briefs.ts';
import { type Engine, workOf } from './engine.ts';
import { tellProgress } from './progress.ts';
import type { RunRef } from './run-ref.ts';
import type { StretchContext } from './steps.ts';
import { tellWaiting } from './tell-waiting.ts';
import { changeRun, withRun } from './with-run.ts';

/** Judges the measured units of a stretch. */
export async function judgeStretch(engine: Engine, ref: RunRef, context: StretchContext): Promise<void> {
  const { run, from, to, lease, signal } = context;
  const stretch: Stretch = { from, to, state: 'measured' };
  const claim = () => runWorkRows.claimUnits(workOf(engine, ref), { ...stretch, worker: engine.worker });
  const { units, count } = await patiently(engine, claim, signal);
  if (count === 0) return;
  await engine.threads.do(
    { type: 'judge', run: await briefOf(engine, ref), units, notes: run.notes ?? [] },
    {
      signal: lease.signal,
      onPart: (part) => commit(engine, ref, part as JudgedPart, context),
      onProgress: (episodes) => {
        lease.underWay.episodes += episodes;
      },
      onWaiting: (failure) => void tellWaiting(engine, ref, failure),
    },
  );
}

/** Somebody else has taken the units. */
class Fenced extends Error {}

/** False where the run, or whoever gave out the units, does not want them any more: then nothing is written. */
async function commit(
  engine: Engine,
  ref: RunRef,
  { count, units, episodes }: JudgedPart,
  { lease, signal }: StretchContext,
): Promise<boolean> {
  try {
    const committed = await withRun(
      engine,
      ref,
      'judge',
      async (run, work) => {
        const judged = await judgedRows.commitJudgedUnits(work, engine.worker, units);
        if (judged.units !== count) throw new Fenced();
        const judging = { ...work, project_id: run.project_id, source_id: run.source_id };
        await judgedRows.upsertEpisodes(judging, episodes);
        const done = judged.accept + judged.review + judged.reject;
        lease.underWay.episodes = Math.max(0, lease.underWay.episodes - done);
        await advance(engine, ref, await add(engine, run, judged));
        return true;
      },
      signal,
    );
    return committed ?? false;
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
  if (await runWorkRows.anyLeft(workOf(engine, ref), 'measured')) return tellProgress(engine, run);
  const annotates = run.layers.length > 0;
  if (annotates)
    await changeRun(engine, run, { stage: 'annotate', stage_started_at: new Date(), stage_base: 0 });
  await engine.store.queue.send('run_steps', [{ ...ref, step: annotates ? 'annotate' : 'finish' }]);
}
