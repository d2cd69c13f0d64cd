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
  runRows,
  type Store,
  sweepOrphans,
} from '#store';
import { patiently } from '../patience.ts';
import { doRange } from './do-range.ts';
import { diedError, doWork, type WorkContext } from './do-work.ts';
import type { Engine, WorkLog } from './engine.ts';
import { type ExportRef, exportPrefix, queuedExport } from './exports/export-ref.ts';
import { exportKind, exportStep } from './exports/export-step.ts';
import { failWork } from './held-work.ts';
import { annotateOwn, annotateRange, buryRange, concludeStep } from './jobs/annotate-range.ts';
import { hasEnded, queuedJob } from './jobs/job-ref.ts';
import { queueRanges } from './jobs/queue-ranges.ts';
import { sweepStep as sweepJob } from './jobs/sweep-job.ts';
import { compareStep } from './runs/compare-step.ts';
import { finishStep, sweepStep as sweepRun } from './runs/finish-step.ts';
import { judgeStep } from './runs/judge-range.ts';
import { layersAfter } from './runs/layers/layer-state.ts';
import { openLayer } from './runs/layers/open-layer.ts';
import { lookStep } from './runs/look-step.ts';
import { measureStep } from './runs/measure-range.ts';
import { reportStep } from './runs/report-step.ts';
import { queuedRun, type RunRef } from './runs/run-ref.ts';
import { changeRun } from './runs/tell-run.ts';
import { runKind, withRun } from './runs/with-run.ts';
import { straggling_s } from './straggling.ts';
import { WorkThreads } from './threads/work-threads.ts';
import { WorkWatch } from './work-watch.ts';

/** Episodes of a range: each is read once for all layers, so that larger ones cost less than those of a single layer. */
const mostTogether = 512;

/**
 * Opens a job for each layer of the run that waits for one, and concludes the run when none is left; due when all is
 * judged, and each time that one of its jobs has ended.
 */
async function annotateStep(engine: Engine, ref: RunRef, context: WorkContext<RunRow>): Promise<void> {
  const done = await withRun(engine, ref, 'annotate', (run) => advance(engine, run), context.stop);
  if (done === true) await finishStep(engine, ref, context);
}

async function advance({ store }: Engine, run: RunRow): Promise<boolean> {
  const scope = { sql: store.database.sql, tenant_id: run.tenant_id };
  const jobs = await jobRows.listJobsOfRun(scope, run.id);
  // Also those of before it was resumed: their end comes here again.
  if (jobs.some(({ status }) => !hasEnded(status))) return false;
  const project = await projectRows.getProject(scope, run.project_id);
  if (project === null) throw new AssayError('not_found', 'the project is gone');
  const layers: RunLayer[] = [];
  for (const layer of layersAfter(run.layers, jobs))
    layers.push(layer.status === 'waiting' ? await openLayer(store, run, project, layer) : layer);
  await changeRun(store, run, { layers });
  const running = layers.filter(({ status }) => status === 'running');
  const job_ids = running.map(({ jobs }) => jobs.at(-1)!);
  if (job_ids.length === 0) return true;
  const of = {
    ...{ tenant_id: run.tenant_id, run_id: run.id, job_ids },
    layers: running.map(({ layer }) => layer),
  };
  await queueRanges(store, of, { count: run.episodes_judged, most: mostTogether });
  return false;
}

export interface WorkEngine {
  /** Ends threads and what they do; `store.queue` is stopped before, so that queued work is given back. */
  close(): Promise<void>;
}

/** Looking, comparing and concluding wait for each other little and for threads mostly. */
const stepsAtOnce = 2;

/**
 * Takes work of runs, jobs and exports from the queue and does it on worker threads, until closed. Where `options.lanes` names
 * layers, it annotates in these and does nothing else.
 */
export async function startWorkEngine(store: Store, options: EngineOptions): Promise<WorkEngine> {
  const engine = createEngine(store, options);
  const { queue } = store;
  const { threads } = engine.threads;
  if (options.lanes !== undefined) {
    await takeLanes(engine, new Set(options.lanes));
    return closing(engine);
  }
  await queue.work('run_steps', (item) => doRunStep(engine, item), {
    at_once: stepsAtOnce,
    onDead: async (data, reason) => {
      const ref = await refOf(engine, data);
      if (ref !== null) await failWork(engine, runKind, ref, diedError(runKind, reason));
    },
  });
  await queue.work('run_units', (item) => doRunRange(engine, item), {
    at_once: threads,
    onDead: (data, reason) => buryRunRange(engine, data, reason),
  });
  await queue.work('job_stretches', (item) => annotateRange(engine, item), {
    at_once: stepsAtOnce,
    onDead: (data, reason) => buryRange(engine, data, reason),
  });
  await takeLanes(engine, null);
  await queue.work('job_steps', ({ data }) => {
    return (data.step === 'conclude' ? concludeStep : sweepJob)(engine, queuedJob(data));
  });
  await queue.work('export_steps', (item) => doExportStep(engine, item), {
    at_once: stepsAtOnce,
    onDead: (data, reason) => failWork(engine, exportKind, queuedExport(data), diedError(exportKind, reason)),
  });
  return closing(engine);
}

const closing = (engine: Engine): WorkEngine => ({
  close: async () => {
    engine.watch.close();
    await engine.threads.close();
    await engine.models.close();
  },
});

/** Takes what there is to annotate in some layers; null: in all that this version can do. */
async function takeLanes(engine: Engine, lanes: ReadonlySet<JobLayerId> | null): Promise<void> {
  const { queue } = engine.store;
  // One more than can be worked on: it is taken from the queue while the others are.
  const at_once = engine.threads.threads + 1;
  const shared = (item: QueuedJob) =>
    lanes === null ? annotateRange(engine, item) : annotateOwn(engine, item, lanes);
  const onDead = (data: JsonObject, reason: string) => buryRange(engine, data, reason);
  await queue.work('lanes_shared', shared, { at_once, onDead });
  for (const id of jobLayerIds)
    if (jobLayerOf(id).lane !== null && (lanes === null || lanes.has(id)))
      await queue.work(laneQueue(id), (item) => annotateRange(engine, item), { at_once });
}

/** The run that queued work is of; whoever has done something for a run, and not for one attempt, means the newest. */
async function refOf(engine: Engine, data: JsonObject): Promise<RunRef | null> {
  const { attempt, ...ref } = queuedRun(data);
  if (attempt !== null) return { ...ref, attempt };
  const scope = { sql: engine.store.database.sql, tenant_id: ref.tenant_id };
  const run = await patiently(engine, () => runRows.getRun(scope, ref.run_id));
  return run === null ? null : { ...ref, attempt: run.attempt };
}

type Step = (engine: Engine, ref: RunRef, context: WorkContext<RunRow>) => Promise<void>;

/** Steps of a run, and the stage in which each is due: one that comes late or twice finds another. */
const steps: Readonly<Record<string, { readonly due: RunRow['stage']; readonly step: Step }>> = {
  look: { due: 'look', step: lookStep },
  compare: { due: 'compare', step: compareStep },
  annotate: { due: 'annotate', step: annotateStep },
  /** A job of the run has ended. */
  annotated: { due: 'annotate', step: annotateStep },
  finish: { due: 'judge', step: finishStep },
};

/** Does a step of a run while that wants it. */
async function doRunStep(engine: Engine, item: QueuedJob): Promise<void> {
  const ref = await refOf(engine, item.data);
  if (ref === null) return;
  const name = String(item.data.step);
  if (name === 'sweep') return sweepRun(engine, ref);
  if (name === 'report') return reportStep(engine, ref, item.signal);
  const { due, step } = steps[name];
  await doWork(engine, runKind, ref, item, async (context) => {
    if (context.row.stage === due) await step(engine, ref, context);
  });
}

/** Writes an export while that is wanted, and tidies up after it: at once, and after those who were slow to hear. */
async function doExportStep(engine: Engine, item: QueuedJob): Promise<void> {
  const ref = queuedExport(item.data);
  if (item.data.step === 'sweep')
    return sweepExport(engine, ref, new Date(Date.now() - (straggling_s / 2) * 1000));
  await doWork(engine, exportKind, ref, item, (context) => exportStep(engine, ref, context));
  await sweepExport(engine, ref, new Date(Date.now() + straggling_s * 1000));
}

const rangeSteps = { measure: measureStep, judge: judgeStep } as const;

async function doRunRange(engine: Engine, item: QueuedJob): Promise<void> {
  const { stage, from, to } = item.data;
  const ref = await refOf(engine, item.data);
  if (ref === null || (stage !== 'measure' && stage !== 'judge')) return;
  await doWork(engine, runKind, ref, item, async (context) => {
    if (context.row.stage !== stage) return;
    const step = rangeSteps[stage](engine, ref, context);
    // Judging reads nothing that came from outside: no unit is suspected of a death.
    const again = stage === 'measure' && item.attempt > 0;
    await doRange(step, { from: Number(from), to: Number(to) }, again);
  });
}

/** A range that ended every process which took it: units that are not measured are lost, judging ends the run. */
async function buryRunRange(engine: Engine, data: JsonObject, reason: string): Promise<void> {
  const ref = await refOf(engine, data);
  if (ref === null) return;
  if (data.stage !== 'measure') return failWork(engine, runKind, ref, diedError(runKind, reason));
  const context = { stop: new AbortController().signal } as WorkContext<RunRow>;
  await measureStep(engine, ref, context).giveUp({ from: Number(data.from), to: Number(data.to) }, reason);
}

/**
 * After an export has ended or was deleted: deletes what is there of it and was written before, but for what its row
 * names. Nothing of it can be committed any more.
 */
async function sweepExport(engine: Engine, ref: ExportRef, written_before: Date): Promise<void> {
  const { database, blobs } = engine.store;
  const row = await exportRows.getExport({ sql: database.sql, tenant_id: ref.tenant_id }, ref.export_id);
  if (row !== null && (row.status === 'queued' || row.status === 'running')) return;
  const named = row?.blob_prefix ?? null;
  await sweepOrphans(blobs, {
    prefix: `${exportPrefix(ref)}/`,
    written_before,
    known: async (keys) => new Set(named === null ? [] : keys.filter((key) => key.startsWith(`${named}/`))),
  });
}

interface EngineOptions {
  /** Where `store.blobs` lies, for worker threads to open it themselves. */
  readonly blobs: BlobsOptions;
  /** Names this process among all that share the database; the same after a restart. */
  readonly worker: string;
  /** Absent: one a processor. */
  readonly threads?: number;
  /** The only annotation layers to do, and no runs. Absent: everything. */
  readonly lanes?: readonly JobLayerId[];
  /** How long a blob store or database that does not answer is waited for before the run fails. */
  readonly patience_ms?: number;
  /** Hears of what runs wait for and why they fail. Absent: nobody does. */
  readonly log?: WorkLog;
}

const patience_ms = 10 * 60_000;

/** What a process works on runs with; takes no work yet. */
export function createEngine(store: Store, options: EngineOptions): Engine {
  const scratch = join(store.data_folder, 'scratch', 'runs');
  // What a process of this folder left when it was killed.
  rmSync(scratch, { recursive: true, force: true });
  const waits_ms = options.patience_ms ?? patience_ms;
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
  };
  return engine;
}
