import { type RunRow, runWorkRows, type Store } from '#store';
import { refOfRun, workOf } from './run-ref.ts';

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

/** What is cut into ranges. */
interface SizedUnit {
  readonly place: number;
  readonly episodes: number;
  readonly bytes: number;
}

/**
 * What one queued item takes: enough that handing out costs nothing beside it, little enough that workers end together.
 * Units side by side are mostly of one file, whose hash and footer their worker then works out once.
 */
const most = {
  measure: { episodes: 256, bytes: 64e6, units: 64 },
  judge: { episodes: 1000, bytes: Number.POSITIVE_INFINITY, units: 500 },
} as const;

/** Cuts units into ranges: first and last place of each. */
function rangesOf(
  units: readonly SizedUnit[],
  stage: keyof typeof most,
): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  let sum = { episodes: 0, bytes: 0, units: 0 };
  for (const { place, episodes, bytes } of units) {
    const last = ranges.at(-1);
    if (last === undefined || isFull(sum, most[stage])) {
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
