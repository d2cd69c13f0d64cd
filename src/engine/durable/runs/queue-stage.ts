import { type RunRow, runWorkRows, type Store } from '#store';
import { refOfRun, workOf } from './run-ref.ts';
import { rangesOf } from './unit-ranges.ts';

/** Queues the work of the stage that a run is in; in the transaction that brought it there. */
export async function queueStage(
  { database, queue }: Pick<Store, 'database' | 'queue'>,
  run: RunRow,
): Promise<void> {
  const ref = refOfRun(run);
  const { stage } = run;
  const step = (name: string) => queue.send('run_steps', [{ ...ref, step: name }]);
  if (stage !== 'measure' && stage !== 'judge') return step(stage);
  const open = await runWorkRows.openSizes(
    workOf({ database }, ref),
    stage === 'measure' ? 'waiting' : 'measured',
  );
  if (open.length === 0) return step(stage === 'measure' ? 'compare' : 'finish');
  const items = rangesOf(open, stage).map(([from, to]) => ({ ...ref, stage, from, to }));
  await queue.send('run_units', items, { shares: true });
}
