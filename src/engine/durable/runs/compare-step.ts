import type { Finding } from '#core/episode';
import { comparisons } from '#quality/readiness';
import { type RunRow, runWorkRows, type Store, sourceRows } from '#store';
import { retryQuietly } from '../../retry.ts';
import type { CompareAnswer } from '../../steps/messages.ts';
import type { ComparedPack } from '../../steps/units.ts';
import { createThreadHooks, type WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { queueStage } from './launch-run.ts';
import { publishFindings, type RunRef, runWork, updateRun } from './run.ts';
import { getBrief } from './run-brief.ts';
import { runKind, withRun } from './run-kind.ts';
import { noteQueueBefore } from './run-notices.ts';

/** Compares the episodes of each dataset on all threads, stores and publishes the findings, and moves the run on to judging. */
export async function compareStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): Promise<void> {
  const { store, threads } = engine;
  const work = runWork(store, ref);
  const packs = await retryQuietly(engine, () => runWorkRows.packsAsJson<ComparedPack>(work), context.stop);
  const run = await getBrief(engine, ref);
  const parts = packs === '[]' ? [] : splitEvenly(comparisons.ids, threads.threads);
  const hooks = createThreadHooks(engine, runKind, ref, context);
  const compared = await Promise.all(
    parts.map((own) => threads.do({ type: 'compare', run, packs, comparisons: own }, hooks)),
  );
  const findings = groupByDataset(compared);
  const keep = async (locked: RunRow) => {
    await noteQueueBefore(store, locked);
    await runWorkRows.setCompared(work, [...findings]);
    const changed = await updateRun(store, locked, {
      stage: 'judge',
      stage_started_at: new Date(),
      stage_base: 0,
      notes: compared.flatMap(({ notes }) => (notes === null ? [] : [notes])),
    });
    await adoptRevision(store, locked);
    await publishFindings(store, locked, [...findings.values()].flat());
    await queueStage(store, changed);
  };
  await withRun(engine, ref, 'compare', keep, context.stop);
}

/** Records which revision of a web source its episodes are in, now that they will be those of this run. */
async function adoptRevision(
  { database }: Pick<Store, 'database'>,
  { tenant_id, source_id, source_revision }: RunRow,
): Promise<void> {
  if (source_revision === null) return;
  const scope = { sql: database.sql, tenant_id };
  const source = await sourceRows.getSource(scope, source_id, 'update');
  if (source?.location.kind !== 'web') return;
  await sourceRows.updateSource(scope, source_id, {
    location: { ...source.location, read: source_revision },
  });
}

/** Splits ids into at most `maxGroups` groups of neighbours, so that findings stay in the order of the comparisons. */
function splitEvenly(ids: readonly string[], maxGroups: number): string[][] {
  const count = Math.min(maxGroups, ids.length);
  return Array.from({ length: count }, (_, i) =>
    ids.slice(Math.floor((i * ids.length) / count), Math.floor(((i + 1) * ids.length) / count)),
  );
}

function groupByDataset(compared: readonly CompareAnswer[]): ReadonlyMap<number, readonly Finding[]> {
  const all = new Map<number, Finding[]>();
  for (const [dataset, own] of compared.flatMap(({ findings }) => findings)) {
    all.set(dataset, [...(all.get(dataset) ?? []), ...own]);
  }
  return all;
}
