import type { Finding } from '#episode';
import { comparisons } from '#readiness';
import { type NotesBlob, runWorkRows } from '#store';
import { patiently } from '../threads/patience.ts';
import type { Answer } from '../threads/thread-messages.ts';
import { briefOf } from './briefs.ts';
import { type Engine, workOf } from './engine.ts';
import type { RunRef } from './run-ref.ts';
import type { StepContext } from './steps.ts';
import { stretchesOf } from './stretches.ts';
import { tellWaiting } from './tell-waiting.ts';
import { changeRun, tell, withRun } from './with-run.ts';

const findingsTold = 100;

type Compared = Extract<Answer, { type: 'compared' }>;

/** Compares the episodes of each dataset, and hands out the measured units to be judged. */
export async function compareStep(engine: Engine, ref: RunRef, context: StepContext): Promise<void> {
  const { lease, signal } = context;
  const packs = await patiently(engine, () => runWorkRows.packsAsJson(workOf(engine, ref)), signal);
  const run = await briefOf(engine, ref);
  const parts = packs === '[]' ? [] : shares(comparisons.ids, engine.threads.threads);
  const hooks = {
    signal: lease.signal,
    onWaiting: (failure: Parameters<typeof tellWaiting>[2]) => void tellWaiting(engine, ref, failure),
  };
  const answers = await Promise.all(
    parts.map((own) => engine.threads.do({ type: 'compare', run, packs, comparisons: own }, hooks)),
  );
  await handOut(engine, ref, answers as Compared[], signal);
}

/** Neighbours stay together, so that what they find lies in the order of the comparisons. */
function shares(ids: readonly string[], wanted: number): string[][] {
  const count = Math.min(wanted, ids.length);
  return Array.from({ length: count }, (_, i) =>
    ids.slice(Math.floor((i * ids.length) / count), Math.floor(((i + 1) * ids.length) / count)),
  );
}

async function handOut(
  engine: Engine,
  ref: RunRef,
  compared: readonly Compared[],
  signal: AbortSignal,
): Promise<void> {
  const byDataset = new Map<number, Finding[]>();
  for (const { findings } of compared) {
    for (const [dataset, own] of JSON.parse(findings) as [number, Finding[]][]) {
      byDataset.set(dataset, [...(byDataset.get(dataset) ?? []), ...own]);
    }
  }
  const notes = compared.flatMap((part): NotesBlob[] => (part.notes === null ? [] : [part.notes]));
  const told = [...byDataset.values()].flat().slice(0, findingsTold);
  await withRun(
    engine,
    ref,
    'compare',
    async (run, work) => {
      await runWorkRows.setCompared(work, JSON.stringify([...byDataset]));
      await changeRun(engine, run, {
        stage: 'judge',
        stage_started_at: new Date(),
        stage_base: 0,
        notes,
      });
      await tell(
        engine,
        run,
        'finding',
        told.map((one) => JSON.stringify(one)),
      );
      const sizes = await runWorkRows.openSizes(work, 'measured');
      const jobs = stretchesOf(sizes).map(([from, to]) => ({ ...ref, stage: 'judge', from, to }));
      await engine.store.queue.send('run_units', jobs);
      if (jobs.length === 0) await engine.store.queue.send('run_steps', [{ ...ref, step: 'finish' }]);
    },
    signal,
  );
}
