import type { Kind } from '#core/episode';
import {
  buildNearIndexes,
  jobRows,
  type RunRow,
  type RunWork,
  refreshStatistics,
  runEventRows,
  runResultRows,
} from '#store';
import { majority, totalKinds } from '../../steps/measure/kinds.ts';
import type { WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { straggling_s } from '../straggling.ts';
import { layerFindings } from './layers/layer-findings.ts';
import { layersAfter, layersDone } from './layers/layer-state.ts';
import { sweepLayers } from './layers/sweep-layers.ts';
import { costOfRun, settleRun } from './run-budget.ts';
import type { RunRef } from './run-ref.ts';
import { sweepRun } from './sweep-run.ts';
import { changeRun } from './tell-run.ts';
import { withRun } from './with-run.ts';

/** Concludes a run: kinds, findings, layers, what it cost; blobs that nobody names go. */
export async function finishStep(
  engine: Engine,
  ref: RunRef,
  { row: { stage }, stop }: WorkContext<RunRow>,
): Promise<void> {
  // Nothing is left to do, so whatever is still being written for the run will be refused.
  const whenever = new Date(Date.now() + straggling_s * 1000);
  await sweepRun(engine, ref, whenever);
  if (stage === 'annotate') await sweepLayers(engine, ref, whenever);
  await withRun(
    engine,
    ref,
    stage,
    async (run, work) => {
      const kinds = run.type === 'rescore' ? run.kinds : await gather(work);
      const layers = await layersOf(engine, run);
      await changeRun(engine.store, run, {
        ...(await settleRun(engine.store, run)),
        status: isPartial(run) ? 'partial' : 'succeeded',
        stage: 'done',
        kinds,
        kind: majority(kinds),
        layers,
        layer_findings: layerFindings(layers),
        cost_usd: costOfRun(engine.store, { ...run, layers }),
        waiting: null,
        finished_at: new Date(),
      });
      await runEventRows.pruneProgress(engine.store.database, ref, 'none');
      if (engine.store.database.kind === 'server')
        await engine.store.queue.send('run_steps', [{ ...ref, step: 'sweep' }], { after_s: straggling_s });
    },
    stop,
  );
  // Lists are fast with it and right without it.
  await refreshStatistics(engine.store.database).catch(() => {});
  await buildNearIndexes(engine.store.database, stop).catch(() => {});
}

async function layersOf({ store }: Engine, { tenant_id, id, layers }: RunRow): Promise<RunRow['layers']> {
  if (layers.length === 0) return layers;
  return layersDone(
    layersAfter(layers, await jobRows.listJobsOfRun({ sql: store.database.sql, tenant_id }, id)),
  );
}

function isPartial(run: RunRow): boolean {
  return run.episodes_unreadable > 0 || run.findings.some(({ code }) => code === 'dataset_unreadable');
}

/** Puts the results of datasets together; gives the kinds of all. A rescore has them from the run it judges again. */
async function gather(work: RunWork): Promise<Partial<Record<Kind, number>>> {
  const results = await runResultRows.datasetResults(work);
  for (const result of results) await runResultRows.setDatasetResult(work, result, majority(result.kinds));
  await runResultRows.gatherFindings(work);
  return totalKinds(results.map(({ kinds }) => kinds));
}
