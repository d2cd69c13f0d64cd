import type { Finding } from '#core/episode';
import { comparisons } from '#quality/readiness';
import { type RunRow, runWorkRows } from '#store';
import { patiently } from '../../patience.ts';
import type { CompareAnswer } from '../../steps/messages.ts';
import type { ComparedPack } from '../../steps/units.ts';
import type { WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { threadHooks } from '../thread-hooks.ts';
import { briefOf } from './briefs.ts';
import { queueStage } from './queue-stage.ts';
import { type RunRef, workOf } from './run-ref.ts';
import { changeRun, tellFindings } from './tell-run.ts';
import { runKind, withRun } from './with-run.ts';

/** Compares the episodes of each dataset, and hands out the measured units to be judged. */
export async function compareStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): Promise<void> {
  const { store, threads } = engine;
  const work = workOf(store, ref);
  const packs = await patiently(engine, () => runWorkRows.packsAsJson<ComparedPack>(work), context.stop);
  const run = await briefOf(engine, ref);
  const parts = packs === '[]' ? [] : shares(comparisons.ids, threads.threads);
  const hooks = threadHooks(engine, runKind, ref, context);
  const compared = await Promise.all(
    parts.map((own) => threads.do({ type: 'compare', run, packs, comparisons: own }, hooks)),
  );
  const findings = byDataset(compared);
  const keep = async (held: RunRow) => {
    await runWorkRows.setCompared(work, [...findings]);
    const changed = await changeRun(store, held, {
      stage: 'judge',
      stage_started_at: new Date(),
      stage_base: 0,
      notes: compared.flatMap(({ notes }) => (notes === null ? [] : [notes])),
    });
    await tellFindings(store, held, [...findings.values()].flat());
    await queueStage(store, changed);
  };
  await withRun(engine, ref, 'compare', keep, context.stop);
}

/** Neighbours stay together, so that what they find lies in the order of the comparisons. */
function shares(ids: readonly string[], wanted: number): string[][] {
  const count = Math.min(wanted, ids.length);
  return Array.from({ length: count }, (_, i) =>
    ids.slice(Math.floor((i * ids.length) / count), Math.floor(((i + 1) * ids.length) / count)),
  );
}

function byDataset(compared: readonly CompareAnswer[]): ReadonlyMap<number, readonly Finding[]> {
  const all = new Map<number, Finding[]>();
  for (const [dataset, own] of compared.flatMap(({ findings }) => findings)) {
    all.set(dataset, [...(all.get(dataset) ?? []), ...own]);
  }
  return all;
}
