import { AssayError, type JsonObject } from '#kernel';
import { type QueuedJob, type RunRow, runRows, type Store } from '#store';
import { failureOf } from '#work';
import { startJobEngine } from '../../jobs/engine/job-engine.ts';
import { patiently, withPatience } from '../threads/patience.ts';
import { ThreadLost } from '../threads/work-thread.ts';
import { annotateStep } from './annotate-step.ts';
import { compareStep } from './compare-step.ts';
import { createEngine, type RunEngineOptions } from './create-engine.ts';
import type { Engine } from './engine.ts';
import { failRun } from './fail-run.ts';
import { finishStep } from './finish-step.ts';
import { judgeStretch } from './judge-stretch.ts';
import { lookStep } from './look-step.ts';
import { giveUp, measureStretch } from './measure-stretch.ts';
import { reportStep } from './report-step.ts';
import type { RunRef } from './run-ref.ts';
import type { StepContext } from './steps.ts';
import { sweepStep } from './sweep-run.ts';
import { tellWaiting } from './tell-waiting.ts';
import { changeRun } from './with-run.ts';

export interface RunEngine {
  /** Ends threads and what they do; `store.queue` is stopped before, so that jobs are given back. */
  close(): Promise<void>;
}

/** Looking, comparing and concluding wait for each other little and for threads mostly. */
const stepsAtOnce = 2;

/** Takes jobs of runs, and of annotation, from the queue and does them on worker threads, until closed. */
export async function startRunEngine(store: Store, options: RunEngineOptions): Promise<RunEngine> {
  const engine = createEngine(store, options);
  await store.queue.work('run_steps', (job) => doJob(engine, job, doStep), {
    at_once: stepsAtOnce,
    onDead: async (data, reason) => {
      const ref = await newestRef(engine, data);
      if (ref !== null) await failRun(engine, ref, died(reason));
    },
  });
  await store.queue.work('run_units', (job) => doJob(engine, job, doStretch), {
    at_once: engine.threads.threads,
    onDead: (data, reason) => buryStretch(engine, data, reason),
  });
  const { threads, worker, patience_ms } = engine;
  const jobs = await startJobEngine({ store, threads, worker, patience_ms });
  return {
    close: async () => {
      engine.watch.close();
      jobs.close();
      await engine.threads.close();
    },
  };
}

const refOf = ({ tenant_id, run_id, attempt }: JsonObject): RunRef => ({
  tenant_id: String(tenant_id),
  run_id: String(run_id),
  attempt: Number(attempt),
});

/** Whoever has done something for a run, and not for one attempt at it, speaks to the newest. */
async function newestRef({ store, patience_ms }: Engine, data: JsonObject): Promise<RunRef | null> {
  const ref = refOf(data);
  if (data.attempt !== undefined) return ref;
  const scope = { sql: store.database.sql, tenant_id: ref.tenant_id };
  const run = await patiently({ patience_ms }, () => runRows.getRun(scope, ref.run_id));
  return run === null ? null : { ...ref, attempt: run.attempt };
}

const died = (reason: string): AssayError =>
  new AssayError('internal', `each process that worked on it ended: ${reason}`, {
    advice: 'look into the log of the service for what ended it, then resume the run',
  });

type Do = (engine: Engine, ref: RunRef, job: QueuedJob, context: StepContext) => Promise<void>;

/** Does a job while its run wants it; what goes wrong ends the run with its reason. */
async function doJob(engine: Engine, job: QueuedJob, work: Do): Promise<void> {
  const ref = await newestRef(engine, job.data);
  if (ref === null) return;
  if (job.data.step === 'sweep') return sweepStep(engine, ref);
  if (job.data.step === 'report') return reportStep(engine, ref, job.signal);
  const run = await begin(engine, ref, job.signal);
  if (run === null) return;
  const lease = engine.watch.lease(ref);
  const either = AbortSignal.any([lease.signal, job.signal]);
  const context = { run, lease: { ...lease, signal: either }, signal: job.signal };
  try {
    await persistently(engine, ref, either, () => work(engine, ref, job, context));
  } catch (thrown) {
    // Given back, or gone to another process already.
    if (job.signal.aborted) throw thrown;
    if (!either.aborted && !isCancelled(thrown)) await failRun(engine, ref, thrown);
  } finally {
    lease.release();
  }
}

/** Waits for what is away, such as a bucket that is read from, and has another thread go on where one died. */
async function persistently(
  engine: Engine,
  ref: RunRef,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const patient = () =>
    withPatience(work, {
      patience_ms: engine.patience_ms,
      signal,
      onWait: (fault) => void tellWaiting(engine, ref, fault === null ? null : failureOf(fault)),
    });
  await patient().catch((thrown) => {
    if (!(thrown instanceof ThreadLost) || signal.aborted) throw thrown;
    return patient();
  });
}

const isCancelled = (thrown: unknown): boolean => thrown instanceof AssayError && thrown.code === 'cancelled';

/** The run as it is, running; null where this attempt is over. */
async function begin(engine: Engine, ref: RunRef, signal: AbortSignal): Promise<RunRow | null> {
  const { database } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const now = new Date();
  return patiently(
    engine,
    () =>
      database.transaction(async () => {
        const run = await runRows.lockRun(scope, ref.run_id);
        if (run === null || run.attempt !== ref.attempt) return null;
        if (run.status === 'running') return run;
        if (run.status !== 'queued') return null;
        const started = { started_at: run.started_at ?? now, stage_started_at: now };
        return changeRun(engine, run, { status: 'running', ...started });
      }),
    signal,
  );
}

const steps = {
  look: lookStep,
  compare: compareStep,
  annotate: annotateStep,
  /** A job of the run has ended. */
  annotated: annotateStep,
  finish: finishStep,
} as const;
/** The stage in which each step is due; a job that comes late or twice finds another. */
const stageOf = {
  look: 'look',
  compare: 'compare',
  annotate: 'annotate',
  annotated: 'annotate',
  finish: 'judge',
} as const;

async function doStep(engine: Engine, ref: RunRef, { data }: QueuedJob, context: StepContext): Promise<void> {
  const step = data.step as keyof typeof steps;
  if (context.run.stage === stageOf[step]) await steps[step](engine, ref, context);
}

async function doStretch(engine: Engine, ref: RunRef, job: QueuedJob, context: StepContext): Promise<void> {
  const { stage, from, to } = job.data;
  if (context.run.stage !== stage) return;
  const stretch = { ...context, from: Number(from), to: Number(to), again: job.attempt > 0 };
  await (stage === 'measure' ? measureStretch : judgeStretch)(engine, ref, stretch);
}

/** A stretch that ended every process which took it: units that are not measured are lost, judging ends the run. */
async function buryStretch(engine: Engine, data: JsonObject, reason: string): Promise<void> {
  const ref = refOf(data);
  if (data.stage !== 'measure') return failRun(engine, ref, died(reason));
  await giveUp(engine, ref, { from: Number(data.from), to: Number(data.to), state: 'waiting' }, reason);
}
