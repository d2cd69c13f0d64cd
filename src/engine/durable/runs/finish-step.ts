import type { SetVerdict } from '#core/api';
import type { Kind } from '#core/episode';
import type { DatasetFacts } from '#formats';
import { combineSetVerdicts } from '#quality/readiness';
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
import { queueTextIndex } from '../../index-texts.ts';
import type { NotificationStore } from '../../notifications/raise-event.ts';
import { createTally, judgeDataset } from '../../steps/judge/dataset-verdict.ts';
import { majorityKind, sumKinds } from '../../steps/measure/kinds.ts';
import type { WorkContext } from '../do-work.ts';
import { type Engine, orphanDelay_s } from '../engine.ts';
import { layerPrefix } from '../jobs/job.ts';
import { type RunRef, runWork, updateRun } from './run.ts';
import { blobPrefix, reportPrefix } from './run-brief.ts';
import { computeRunCost, settleRun } from './run-costs.ts';
import { findingsForLoaders } from './run-findings.ts';
import { withRun } from './run-kind.ts';
import { finishLayers, layerFindings, updateLayers } from './run-layers.ts';
import { reportJudged, reportRunEnd } from './run-notices.ts';

/**
 * Ends a run as succeeded, or as partial if data was unreadable: stores kinds, findings, layers and cost, settles its budget,
 * and deletes orphaned blobs.
 */
export async function finishStep(
  engine: Engine,
  ref: RunRef,
  { row: { stage }, stop }: WorkContext<RunRow>,
): Promise<void> {
  // All work is done, so anything still being written for the run will be refused.
  const whenever = new Date(Date.now() + orphanDelay_s * 1000);
  await deleteOrphans(engine, ref, whenever);
  if (stage === 'annotate') await sweepLayers(engine, ref, whenever);
  await withRun(
    engine,
    ref,
    stage,
    async (run, work) => {
      const judged = await concludeJudging(engine.store, work, run);
      const layers = await loadFinishedLayers(engine, run);
      const ended = await updateRun(engine.store, run, {
        ...(await settleRun(engine.store, run)),
        status: isPartial(run) ? 'partial' : 'succeeded',
        stage: 'done',
        ...judged,
        layers,
        layer_findings: layerFindings(layers),
        cost_usd: computeRunCost(engine.store, { ...run, layers }),
        waiting: null,
        finished_at: new Date(),
      });
      await reportRunEnd(engine.store, ended);
      await runEventRows.pruneProgress(engine.store.database, ref, 'none');
      await queueTextIndex(engine.store, run);
      if (engine.store.database.kind === 'server')
        await engine.store.queue.send('run_steps', [{ ...ref, step: 'sweep' }], { after_s: orphanDelay_s });
    },
    stop,
  );
  // Only affects the speed of lists.
  await refreshStatistics(engine.store.database).catch(() => {});
  await buildNearIndexes(engine.store.database, stop).catch(() => {});
}

async function loadFinishedLayers(
  { store }: Engine,
  { tenant_id, id, layers }: RunRow,
): Promise<RunRow['layers']> {
  if (layers.length === 0) return layers;
  return finishLayers(
    updateLayers(layers, await jobRows.listJobsOfRun({ sql: store.database.sql, tenant_id }, id)),
  );
}

function isPartial(run: RunRow): boolean {
  return run.episodes_unreadable > 0 || run.findings.some(({ code }) => code === 'dataset_unreadable');
}

/**
 * Stores the results, findings and verdicts of the datasets of a run whose episodes are all judged, and raises the
 * events about them. Returns the changes of the run's row; none if that was done before.
 */
export async function concludeJudging(
  store: NotificationStore,
  work: RunWork,
  run: RunRow,
): Promise<Pick<RunRow, 'kinds' | 'kind' | 'usability' | 'loader'> | Record<string, never>> {
  if (run.usability !== null) return {};
  const kinds = run.type === 'rescore' ? run.kinds : await mergeResults(work);
  const judged = await judgeDatasets(work, run);
  await reportJudged(store, run, judged);
  return { kinds, kind: majorityKind(kinds), ...judged };
}

/** Stores the result per dataset and returns the kinds of all. A rescore takes them from its base run. */
async function mergeResults(work: RunWork): Promise<Partial<Record<Kind, number>>> {
  const results = await runResultRows.datasetResults(work);
  for (const result of results)
    await runResultRows.setDatasetResult(work, result, majorityKind(result.kinds));
  await runResultRows.gatherFindings(work);
  return sumKinds(results.map(({ kinds }) => kinds));
}

/**
 * Stores the verdict of the run's loaders on each dataset. Returns that on all recordings, and the titles of the loaders that
 * judged its only dataset.
 */
async function judgeDatasets(
  work: RunWork,
  { findings: listing, settings }: Pick<RunRow, 'findings' | 'settings'>,
): Promise<Pick<RunRow, 'usability' | 'loader'>> {
  const verdicts: SetVerdict[] = [];
  const titles: (string | null)[] = [];
  const { loaders } = settings;
  for (const { place, facts, counts, ...evidence } of await runResultRows.datasetEvidence<DatasetFacts>(
    work,
  )) {
    const tally = createTally(facts.format);
    for (const unit of counts) tally.merge(unit);
    const findings = findingsForLoaders(facts, evidence.findings, loaders);
    const { loads, usability } = judgeDataset(
      facts,
      { ...evidence, findings, counts: tally.counts },
      loaders,
    );
    await runResultRows.setUsability(work, place, usability);
    verdicts.push(usability);
    titles.push(loads?.reader ?? null);
  }
  return {
    usability: combineSetVerdicts(verdicts, listing),
    loader: titles.length === 1 ? titles[0] : null,
  };
}

/** Deletes blobs of a run that no row names and that were written before `written_before`. */
async function deleteOrphans(engine: Engine, ref: RunRef, written_before: Date): Promise<void> {
  const prefix = `${blobPrefix(ref)}/`;
  const report = `${reportPrefix(blobPrefix(ref))}/`;
  await sweepOrphans(engine.store.blobs, {
    prefix,
    written_before,
    findReferenced: async (keys) => {
      const named = await runResultRows.findReferencedBlobs(runWork(engine.store, ref), keys);
      // The report is recognised by its prefix: it is redrawn under the same names.
      return new Set([...named, ...keys.filter((key) => key.startsWith(report))]);
    },
  });
}

/**
 * Deletes orphaned blobs of an ended run again, since an interrupted process may have written some late; does nothing if the
 * run is running or was resumed.
 */
export async function sweepEndedRun(engine: Engine, ref: RunRef): Promise<void> {
  const { sql } = engine.store.database;
  const run = await runRows.getRun({ sql, tenant_id: ref.tenant_id }, ref.run_id);
  // If it was resumed, its end deletes orphans.
  if (run === null || run.attempt !== ref.attempt || run.status === 'running') return;
  await deleteOrphans(engine, ref, new Date(Date.now() - (orphanDelay_s / 2) * 1000));
}

/**
 * Deletes artifacts of the run's layers that were written before `written_before` and that no annotation names.
 * Artifacts of open jobs are kept, since they may be named later.
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
      findReferenced: async (keys) => {
        const ids = new Map(keys.map((key) => [key, key.slice(prefix.length).split('/')[0]]));
        const ended = await jobRows.endedJobs(scope, [...new Set(ids.values())]);
        const named = await annotationRows.findReferencedArtifacts(database, tenant_id, keys);
        return new Set(keys.filter((key) => named.has(key) || !ended.has(ids.get(key)!)));
      },
    });
  }
}
