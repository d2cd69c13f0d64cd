import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AssayError, type JsonObject } from '#core';
import { type JobLayerId, jobLayerIds } from '#core/api';
import { jobLayerOf } from '#labels/annotation';
import { ModelHosts } from '#labels/models';
import {
  type BlobsOptions,
  exportRows,
  jobRows,
  laneQueue,
  projectRows,
  type QueuedJob,
  type RunLayer,
  type RunRow,
  type RunWork,
  runRows,
  type Store,
  sweepOrphans,
} from '#store';
import { indexTexts } from '../index-texts.ts';
import { deliver, giveUpAttempt } from '../notifications/deliver.ts';
import { retryQuietly } from '../retry.ts';
import { closeTextEncoders } from '../text-encoders.ts';
import { doRange } from '../threads/do-range.ts';
import { WorkThreads } from '../threads/work-threads.ts';
import { crashError, doWork, failWork, type WorkContext } from './do-work.ts';
import { type Engine, orphanDelay_s, type WorkLog } from './engine.ts';
import { type ExportRef, exportPrefix, parseExportRef } from './exports/export-lifecycle.ts';
import { exportKind, exportStep } from './exports/export-step.ts';
import { annotateOnlyLanes, annotateRange, concludeStep, giveUpRange } from './jobs/annotate-range.ts';
import { sweepJob } from './jobs/end-job.ts';
import { hasEnded, parseJobRef } from './jobs/job.ts';
import { queueRanges } from './jobs/queue-ranges.ts';
import { compareStep } from './runs/compare-step.ts';
import { concludeJudging, finishStep, sweepEndedRun as sweepRun } from './runs/finish-step.ts';
import { judgeStep } from './runs/judge-range.ts';
import { lookStep } from './runs/launch-run.ts';
import { measureStep } from './runs/measure-range.ts';
import { reportStep } from './runs/report-step.ts';
import { parseRunRef, type RunRef, updateRun } from './runs/run.ts';
import { runKind, withRun } from './runs/run-kind.ts';
import { openLayer, updateLayers } from './runs/run-layers.ts';
import { WorkWatch } from './work-watch.ts';

/**
 * Maximum episodes per range of a run. Each is read once for all layers, so larger ranges than for a single layer pay
 * off.
 */
const maxRangeEpisodes = 512;

/**
 * Opens a job for each waiting layer of a run, and finishes the run when no job is open. Runs after judging and after
 * each of the run's jobs.
 */
async function annotateStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): Promise<void> {
  const done = await withRun(
    engine,
    ref,
    'annotate',
    (run, work) => advanceLayers(engine, run, work),
    context.stop,
  );
  if (done === true) await finishStep(engine, ref, context);
}

async function advanceLayers({ store }: Engine, run: RunRow, work: RunWork): Promise<boolean> {
  const scope = { sql: store.database.sql, tenant_id: run.tenant_id };
  const jobs = await jobRows.listJobsOfRun(scope, run.id);
  // Includes jobs from before a resume: their end triggers this step again.
  if (jobs.some(({ status }) => !hasEnded(status))) return false;
  const project = await projectRows.getProject(scope, run.project_id);
  if (project === null) throw new AssayError('not_found', 'the project was deleted');
  const layers: RunLayer[] = [];
  for (const layer of updateLayers(run.layers, jobs))
    layers.push(layer.status === 'waiting' ? await openLayer(store, run, project, layer) : layer);
  await updateRun(store, run, { ...(await concludeJudging(store, work, run)), layers });
  const running = layers.filter(({ status }) => status === 'running');
  const job_ids = running.map(({ jobs }) => jobs.at(-1)!);
  if (job_ids.length === 0) return true;
  const of = {
    ...{ tenant_id: run.tenant_id, run_id: run.id, job_ids },
    layers: running.map(({ layer }) => layer),
  };
  await queueRanges(store, of, { count: run.episodes_judged, max_episodes: maxRangeEpisodes });
  return false;
}

/** Handle of a running engine. */
export interface WorkEngine {
  /** Ends all threads and their work. Stop `store.queue` before, so that queued work is returned. */
  close(): Promise<void>;
}

/** Concurrent steps of one kind; they mostly wait for threads. */
const concurrentSteps = 2;
/** Concurrent deliveries of notifications, which wait for their receivers. */
const concurrentDeliveries = 8;

/**
 * Starts processing runs, jobs and exports from the queue on worker threads, until the returned handle is closed. With
 * `options.lanes` it only annotates in these layers.
 */
export async function startWorkEngine(store: Store, options: EngineOptions): Promise<WorkEngine> {
  const engine = createEngine(store, options);
  const { queue } = store;
  const { threads } = engine.threads;
  if (options.lanes !== undefined) {
    await subscribeLanes(engine, new Set(options.lanes));
    return createHandle(engine);
  }
  await queue.work('run_steps', (item) => doRunStep(engine, item), {
    at_once: concurrentSteps,
    onDead: async (data, reason) => {
      const ref = await resolveRunRef(engine, data);
      if (ref !== null) await failWork(engine, runKind, ref, crashError(runKind, reason));
    },
  });
  await queue.work('run_units', (item) => doRunRange(engine, item), {
    at_once: threads,
    onDead: (data, reason) => giveUpRunRange(engine, data, reason),
  });
  await queue.work('job_stretches', (item) => annotateRange(engine, item), {
    at_once: concurrentSteps,
    onDead: (data, reason) => giveUpRange(engine, data, reason),
  });
  await subscribeLanes(engine, null);
  await queue.work('job_steps', ({ data }) => {
    return (data.step === 'conclude' ? concludeStep : sweepJob)(engine, parseJobRef(data));
  });
  await queue.work('text_steps', (item) => indexTexts(store, item));
  await queue.work('notification_steps', (item) => deliver(store, item), {
    at_once: concurrentDeliveries,
    onDead: (data, reason) => giveUpAttempt(store, data, reason),
  });
  await queue.work('export_steps', (item) => doExportStep(engine, item), {
    at_once: concurrentSteps,
    onDead: (data, reason) =>
      failWork(engine, exportKind, parseExportRef(data), crashError(exportKind, reason)),
  });
  return createHandle(engine);
}

const createHandle = (engine: Engine): WorkEngine => ({
  close: async () => {
    engine.watch.close();
    await engine.threads.close();
    await engine.models.close();
    await closeTextEncoders(engine.store);
  },
});

/**
 * Subscribes to the queue of work that several layers share and to the queues of `lanes`; null: of all layers that this
 * version can run.
 */
async function subscribeLanes(engine: Engine, lanes: ReadonlySet<JobLayerId> | null): Promise<void> {
  const { queue } = engine.store;
  // One more than there are threads: it is fetched while the others are processed.
  const at_once = engine.threads.threads + 1;
  const shared = (item: QueuedJob) =>
    lanes === null ? annotateRange(engine, item) : annotateOnlyLanes(engine, item, lanes);
  const onDead = (data: JsonObject, reason: string) => giveUpRange(engine, data, reason);
  await queue.work('lanes_shared', shared, { at_once, onDead });
  for (const id of jobLayerIds)
    if (jobLayerOf(id).lane !== null && (lanes === null || lanes.has(id)))
      await queue.work(laneQueue(id), (item) => annotateRange(engine, item), { at_once });
}

/**
 * Returns the run of a queued item. Without an attempt (work for the run as a whole) it is the newest one; null if
 * the run is missing.
 */
async function resolveRunRef(engine: Engine, data: JsonObject): Promise<RunRef | null> {
  const { attempt, ...ref } = parseRunRef(data);
  if (attempt !== null) return { ...ref, attempt };
  const scope = { sql: engine.store.database.sql, tenant_id: ref.tenant_id };
  const run = await retryQuietly(engine, () => runRows.getRun(scope, ref.run_id));
  return run === null ? null : { ...ref, attempt: run.attempt };
}

type Step = (engine: Engine, ref: RunRef, context: WorkContext<RunRow>) => Promise<void>;

/** Steps of a run and the stage in which each is due; late or duplicate steps find another stage and do nothing. */
const steps: Readonly<Record<string, { readonly due: RunRow['stage']; readonly step: Step }>> = {
  look: { due: 'look', step: lookStep },
  compare: { due: 'compare', step: compareStep },
  annotate: { due: 'annotate', step: annotateStep },
  /** Sent when a job of the run has ended. */
  annotated: { due: 'annotate', step: annotateStep },
  finish: { due: 'judge', step: finishStep },
};

/** Runs a step of a run. */
async function doRunStep(engine: Engine, item: QueuedJob): Promise<void> {
  const ref = await resolveRunRef(engine, item.data);
  if (ref === null) return;
  const name = String(item.data.step);
  if (name === 'sweep') return sweepRun(engine, ref);
  if (name === 'report') return reportStep(engine, ref, item.signal);
  const { due, step } = steps[name];
  await doWork(engine, runKind, ref, item, async (context) => {
    if (context.row.stage === due) await step(engine, ref, context);
  });
}

/** Writes an export, and deletes its orphaned blobs: at once, and again later for slow writers. */
async function doExportStep(engine: Engine, item: QueuedJob): Promise<void> {
  const ref = parseExportRef(item.data);
  if (item.data.step === 'sweep')
    return sweepExport(engine, ref, new Date(Date.now() - (orphanDelay_s / 2) * 1000));
  await doWork(engine, exportKind, ref, item, (context) => exportStep(engine, ref, context));
  await sweepExport(engine, ref, new Date(Date.now() + orphanDelay_s * 1000));
}

const rangeSteps = { measure: measureStep, judge: judgeStep } as const;

async function doRunRange(engine: Engine, item: QueuedJob): Promise<void> {
  const { stage, from, to } = item.data;
  const ref = await resolveRunRef(engine, item.data);
  if (ref === null || (stage !== 'measure' && stage !== 'judge')) return;
  await doWork(engine, runKind, ref, item, async (context) => {
    if (context.row.stage !== stage) return;
    const step = rangeSteps[stage](engine, ref, context);
    // Judging reads no external data, so no unit is suspected of a crash.
    const again = stage === 'measure' && item.attempt > 0;
    await doRange(step, { from: Number(from), to: Number(to) }, again);
  });
}

/** Gives up a range whose processes all crashed: unmeasured units are lost; in judging, the run fails. */
async function giveUpRunRange(engine: Engine, data: JsonObject, reason: string): Promise<void> {
  const ref = await resolveRunRef(engine, data);
  if (ref === null) return;
  if (data.stage !== 'measure') return failWork(engine, runKind, ref, crashError(runKind, reason));
  const context = { stop: new AbortController().signal } as WorkContext<RunRow>;
  await measureStep(engine, ref, context).giveUp({ from: Number(data.from), to: Number(data.to) }, reason);
}

/**
 * Deletes blobs of an ended or deleted export that were written before `written_before` and that its row does not
 * name. Nothing can be committed to it any more.
 */
async function sweepExport(engine: Engine, ref: ExportRef, written_before: Date): Promise<void> {
  const { database, blobs } = engine.store;
  const row = await exportRows.getExport({ sql: database.sql, tenant_id: ref.tenant_id }, ref.export_id);
  if (row !== null && (row.status === 'queued' || row.status === 'running')) return;
  const named = row?.blob_prefix ?? null;
  await sweepOrphans(blobs, {
    prefix: `${exportPrefix(ref)}/`,
    written_before,
    findReferenced: async (keys) =>
      new Set(named === null ? [] : keys.filter((key) => key.startsWith(`${named}/`))),
  });
}

/** Options of the engine. */
interface EngineOptions {
  /** Location of `store.blobs`, for worker threads. */
  readonly blobs: BlobsOptions;
  /** Name of this process among all that share the database; the same after a restart. */
  readonly worker: string;
  /** Number of threads; default: one per core. */
  readonly threads?: number;
  /** Restricts the engine to these annotation layers. Default: everything. */
  readonly lanes?: readonly JobLayerId[];
  /** Time to retry while the blob store or database is unavailable, before work fails. Default: 10 minutes. */
  readonly patience_ms?: number;
  /** Log of waits and failures. Default: none. */
  readonly log?: WorkLog;
}

const defaultPatience_ms = 10 * 60_000;

/**
 * Creates the threads, model hosts and watch of an engine without taking work, and deletes the scratch files of earlier
 * processes.
 */
export function createEngine(store: Store, options: EngineOptions): Engine {
  const scratch = join(store.data_folder, 'scratch', 'runs');
  // Files of a killed process.
  rmSync(scratch, { recursive: true, force: true });
  const waits_ms = options.patience_ms ?? defaultPatience_ms;
  const threads = options.threads ?? availableParallelism();
  const { onnx_provider = 'auto' } = store;
  const models = new ModelHosts(threads, { onnx_provider });
  const start = { blobs: options.blobs, patience_ms: waits_ms, model_sockets: models.sockets };
  const engine: Engine = {
    store,
    threads: new WorkThreads({ threads, scratch, ...start }),
    models,
    watch: new WorkWatch(() => engine),
    worker: options.worker,
    patience_ms: waits_ms,
    log: options.log ?? { warn: () => {} },
    restarted_jobs: new Set(),
  };
  return engine;
}
