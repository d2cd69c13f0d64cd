import type { Kind } from '#episode';
import { type RunRow, type RunWork, refreshStatistics, runEventRows, runResultRows } from '#store';
import { majority } from '../../assessment/collect-result.ts';
import { charge } from '../../budget/ledger.ts';
import { priceOf } from '../../budget/prices.ts';
import type { Engine } from './engine.ts';
import { straggling_s } from './fail-run.ts';
import type { RunRef } from './run-ref.ts';
import type { StepContext } from './steps.ts';
import { sweepRun } from './sweep-run.ts';
import { changeRun, withRun } from './with-run.ts';

/** Concludes a run: kinds, findings, what it cost; blobs that nobody names go. */
export async function finishStep(engine: Engine, ref: RunRef, { signal }: StepContext): Promise<void> {
  // Nothing is left to do, so whatever is still being written for the run will be refused.
  await sweepRun(engine, ref, new Date(Date.now() + straggling_s * 1000));
  await withRun(
    engine,
    ref,
    'judge',
    async (run, work) => {
      const kinds = run.type === 'rescore' ? run.kinds : await gather(work);
      await changeRun(engine, run, {
        status: isPartial(run) ? 'partial' : 'succeeded',
        stage: 'done',
        kinds,
        kind: majority(kinds),
        cost_usd: costOf(engine, run),
        waiting: null,
        finished_at: new Date(),
      });
      await chargeRun(engine, run);
      await runEventRows.pruneProgress(engine.store.database, ref, 'none');
      if (engine.store.database.kind === 'server')
        await engine.store.queue.send('run_steps', [{ ...ref, step: 'sweep' }], { after_s: straggling_s });
    },
    signal,
  );
  // Lists are fast with it and right without it.
  await refreshStatistics(engine.store.database).catch(() => {});
}

/** What it took goes into the tenant's ledger, in the transaction that ends it: once. */
async function chargeRun(engine: Engine, run: RunRow): Promise<void> {
  const { store } = engine;
  const scope = { sql: store.database.sql, tenant_id: run.tenant_id };
  const purpose = { purpose_id: run.id, project_id: run.project_id };
  const { compute_s } = run;
  await charge({ store, scope, now: new Date() }, purpose, null, {
    layer: 'readiness',
    model: null,
    compute_s,
    amount_usd: costOf(engine, run),
  });
}

const costOf = ({ store }: Engine, { compute_s }: RunRow): number =>
  compute_s * priceOf(store.prices, 'readiness', 'cpu');

function isPartial(run: RunRow): boolean {
  return run.episodes_unreadable > 0 || run.findings.some(({ code }) => code === 'dataset_unreadable');
}

/** Puts the results of datasets together; gives the kinds of all. A rescore has them from the run it judges again. */
async function gather(work: RunWork): Promise<Partial<Record<Kind, number>>> {
  const all: Partial<Record<Kind, number>> = {};
  for (const result of await runResultRows.datasetResults(work)) {
    await runResultRows.setDatasetResult(work, result, majority(result.kinds));
    for (const [kind, count] of Object.entries(result.kinds)) {
      all[kind as Kind] = (all[kind as Kind] ?? 0) + count;
    }
  }
  await runResultRows.gatherFindings(work);
  return all;
}
