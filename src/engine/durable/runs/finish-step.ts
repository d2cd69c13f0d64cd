import type { Kind } from '#core/episode';
import {
  annotationRows,
  buildNearIndexes,
  jobRows,
  type RunRow,
  type RunWork,
  refreshStatistics,
  runEventRows,
  runResultRows,
  runRows,
  sweepOrphans,
} from '#store';
import { majority, totalKinds } from '../../steps/measure/kinds.ts';
import type { WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';
import { layerPrefix } from '../jobs/artifact-prefix.ts';
import { straggling_s } from '../straggling.ts';
import { blobPrefix, reportPrefix } from './briefs.ts';
import { layerFindings } from './layers/layer-findings.ts';
import { layersAfter, layersDone } from './layers/layer-state.ts';
import { costOfRun, settleRun } from './run-budget.ts';
import { type RunRef, workOf } from './run-ref.ts';
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

/** Deletes blobs of a run that no row names and that were written before. */
async function sweepRun(engine: Engine, ref: RunRef, written_before: Date): Promise<void> {
  const prefix = `${blobPrefix(ref)}/`;
  const report = `${reportPrefix(blobPrefix(ref))}/`;
  await sweepOrphans(engine.store.blobs, {
    prefix,
    written_before,
    known: async (keys) => {
      const named = await runResultRows.namedBlobs(workOf(engine.store, ref), keys);
      // Known by its place: it is drawn again under the same names.
      return new Set([...named, ...keys.filter((key) => key.startsWith(report))]);
    },
  });
}

/** Once more after a run has ended: a process that was cut off may have written after the first sweep. */
export async function sweepStep(engine: Engine, ref: RunRef): Promise<void> {
  const { sql } = engine.store.database;
  const run = await runRows.getRun({ sql, tenant_id: ref.tenant_id }, ref.run_id);
  // Resumed meanwhile: its end sweeps.
  if (run === null || run.attempt !== ref.attempt || run.status === 'running') return;
  await sweepRun(engine, ref, new Date(Date.now() - (straggling_s / 2) * 1000));
}

/**
 * Deletes artifacts of the run's layers that were written before and that no annotation names: replaced by the run, or left
 * by workers that were cut off. Those of jobs that have not ended may be named yet.
 */
async function sweepLayers(
  engine: Engine,
  { tenant_id, run_id }: RunRef,
  written_before: Date,
): Promise<void> {
  const { database, blobs } = engine.store;
  const scope = { sql: database.sql, tenant_id };
  const jobs = await jobRows.listJobsOfRun(scope, run_id);
  const prefixes = new Set(jobs.map((job) => `${layerPrefix(job)}/`));
  for (const prefix of prefixes) {
    await sweepOrphans(blobs, {
      prefix,
      written_before,
      known: async (keys) => {
        const ids = new Map(keys.map((key) => [key, key.slice(prefix.length).split('/')[0]]));
        const ended = await jobRows.endedJobs(scope, [...new Set(ids.values())]);
        const named = await annotationRows.namedArtifacts(database, tenant_id, keys);
        return new Set(keys.filter((key) => named.has(key) || !ended.has(ids.get(key)!)));
      },
    });
  }
}
