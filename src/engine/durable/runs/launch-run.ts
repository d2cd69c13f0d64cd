import { canonicalJson, type JsonObject, sha256 } from '#core';
import type { ReadinessSettings, Run } from '#core/api';
import type { Kind } from '#core/episode';
import { type RunLayer, type RunRow, runRows, runWorkRows, type Store } from '#store';
import { addRunEvents, runRef, runWork, toRun } from './run.ts';
import { reserveForRun } from './run-costs.ts';

/**
 * Reserves the expected cost of a new run, publishes it and queues its first stage, in the transaction that added it.
 * Throws `budget_exceeded`.
 */
export async function launchRun(store: Store, row: RunRow, seconds: number): Promise<Run> {
  const reservation_id = await reserveForRun(store, row, seconds);
  const scope = { sql: store.database.sql, tenant_id: row.tenant_id };
  if (reservation_id !== null) await runRows.updateRun(scope, row.id, { reservation_id });
  const launched = toRun(row);
  await addRunEvents(store, row, 'run', [JSON.stringify(launched)]);
  await queueStage(store, row);
  return launched;
}

/** Queues the work of a run's current stage, in the transaction that changed the stage. */
export async function queueStage(
  { database, queue }: Pick<Store, 'database' | 'queue'>,
  run: RunRow,
): Promise<void> {
  const ref = runRef(run);
  const { stage } = run;
  const step = (name: string) => queue.send('run_steps', [{ ...ref, step: name }]);
  if (stage !== 'measure' && stage !== 'judge') return step(stage);
  const open = await runWorkRows.listUnitSizes(
    runWork({ database }, ref),
    stage === 'measure' ? 'waiting' : 'measured',
  );
  if (open.length === 0) return step(stage === 'measure' ? 'compare' : 'finish');
  const items = cutRanges(open, stage).map(([from, to]) => ({ ...ref, stage, from, to }));
  await queue.send('run_units', items, { shares: true });
}

/** Size of a unit. */
interface SizedUnit {
  readonly place: number;
  readonly episodes: number;
  readonly bytes: number;
}

/**
 * Maximum size of a queued range: large enough that queueing costs nothing, small enough that workers finish
 * together. Neighbouring units mostly belong to one file, whose hash and footer a worker then computes once.
 */
const maxRangeSize = {
  measure: { episodes: 256, bytes: 64e6, units: 64 },
  judge: { episodes: 1000, bytes: Number.POSITIVE_INFINITY, units: 500 },
} as const;

/** Cuts units into ranges and returns the first and last place of each. */
function cutRanges(
  units: readonly SizedUnit[],
  stage: keyof typeof maxRangeSize,
): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  let sum = { episodes: 0, bytes: 0, units: 0 };
  for (const { place, episodes, bytes } of units) {
    const last = ranges.at(-1);
    if (last === undefined || isFull(sum, maxRangeSize[stage])) {
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

/** Returns a SHA-256 of everything that determines what a run will do. */
export function planHash({
  found_hash,
  settings,
  kind,
  layers,
}: {
  readonly found_hash: string;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  readonly layers: readonly Pick<RunLayer, 'layer' | 'config'>[];
}): string {
  const annotated = layers.map(({ layer, config }) => ({ layer, config }));
  return sha256(canonicalJson({ found_hash, settings, kind, layers: annotated } as unknown as JsonObject));
}
