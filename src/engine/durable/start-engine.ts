import type { JsonObject } from '#core';
import { type JobLayerId, jobLayerIds } from '#core/api';
import { jobLayerOf } from '#labels/annotation';
import { laneQueue, type QueuedJob, type RunRow, runRows, type Store } from '#store';
import { patiently } from '../patience.ts';
import { createEngine, type EngineOptions } from './create-engine.ts';
import { doRange } from './do-range.ts';
import { doWork, type WorkContext } from './do-work.ts';
import type { Engine } from './engine.ts';
import { exportKind } from './exports/export-kind.ts';
import { queuedExport } from './exports/export-ref.ts';
import { exportStep } from './exports/export-step.ts';
import { sweepExport } from './exports/sweep-export.ts';
import { failWork } from './held-work.ts';
import { annotateOwn, annotateRange, buryRange } from './jobs/annotate-range.ts';
import { concludeStep } from './jobs/conclude-step.ts';
import { queuedJob } from './jobs/job-ref.ts';
import { sweepStep as sweepJob } from './jobs/sweep-job.ts';
import { annotateStep } from './runs/annotate-step.ts';
import { compareStep } from './runs/compare-step.ts';
import { finishStep } from './runs/finish-step.ts';
import { judgeStep } from './runs/judge-range.ts';
import { lookStep } from './runs/look-step.ts';
import { measureStep } from './runs/measure-range.ts';
import { reportStep } from './runs/report-step.ts';
import { runKind } from './runs/run-kind.ts';
import { queuedRun, type RunRef } from './runs/run-ref.ts';
import { sweepStep as sweepRun } from './runs/sweep-run.ts';
import { straggling_s } from './straggling.ts';
import { diedError } from './work-error.ts';

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
