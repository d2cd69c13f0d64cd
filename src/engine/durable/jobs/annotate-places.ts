import type { RecognisedDataset } from '#formats';
import type { RecordingsRef } from '#io/sources';
import { frameNeeds, inputLayers, jobLayerOf, type LayerConfig, surfacesOf } from '#labels/annotation';
import { resolveModelRefs } from '#labels/models';
import {
  type AnnotatedTotals,
  annotatedRows,
  type Database,
  type JobRow,
  type JobWork,
  jobItemRows,
  jobRows,
  type Places,
  type Store,
  sourceRows,
} from '#store';
import { computeTokenCost } from '../../budget/prices.ts';
import { recordingNotFound } from '../../open-recordings.ts';
import { resolveRecordings } from '../../resolve-recordings.ts';
import { retryQuietly } from '../../retry.ts';
import type { AnnotatedPart, AnnotateTask, PictureSources } from '../../steps/messages.ts';
import type { AnnotateItem } from '../../steps/units.ts';
import { type Failure, toFailure } from '../../workers/messages.ts';
import { recordWaiting, withRunningWork } from '../do-work.ts';
import type { Engine, WorkKind } from '../engine.ts';
import { concludeJob, stopJob } from './end-job.ts';
import { artifactPrefix, type JobRef, jobRef, jobWork, publishJobProgress, updateJob } from './job.ts';
import { chargeJob, findModelTokenPrices, reserveOverrun } from './job-costs.ts';
import { modelsOfJob, usesVisionEndpoint } from './lane-plan.ts';
import { queueRetry } from './queue-ranges.ts';

/** Inputs of `annotatePlaces`. */
export interface AnnotatePlaces {
  /** Running jobs; all of one run if there are several. */
  readonly jobs: readonly JobRow[];
  /** Positions in the lists of episodes; they mean the same episodes in each job. */
  readonly places: Places;
  /** True if a crash counts against each episode. */
  readonly suspect: boolean;
  readonly signal: AbortSignal;
  /** Key of the data that a thread keeps open between requests. */
  readonly key: string;
  readonly onCommitted?: () => void;
}

/**
 * Annotates the waiting episodes at some positions of a project's list for several jobs at once, so that each is read once,
 * and commits each result as it is finished. Episodes that are not finished are released for other workers.
 */
export async function annotatePlaces(engine: Engine, work: AnnotatePlaces): Promise<void> {
  const { jobs, places, suspect, signal, key, onCommitted } = work;
  const { store, worker } = engine;
  const [{ tenant_id }] = jobs;
  const shared = { database: store.database, tenant_id, job_ids: jobs.map(({ id }) => id) };
  const outputs_of = [...new Set(jobs.flatMap(({ layer }) => inputLayers(jobLayerOf(layer))))];
  const claim = () => jobItemRows.claimItems<AnnotateItem>(shared, { worker, places, suspect, outputs_of });
  const { items, attempts, interrupted } = await retryQuietly(engine, claim, signal);
  const due = jobs.filter(({ id }) => attempts[id] !== undefined);
  if (due.length === 0) return;
  const refs = due.map(jobRef);
  for (const ref of refs) if (interrupted.includes(ref.job_id)) await countRestart(engine, ref);
  const onPart = async (part: AnnotatedPart) => {
    const wanted = await commitPart(engine, refs[part.task], part, signal);
    if (wanted) onCommitted?.();
    return wanted;
  };
  try {
    const tasks = await Promise.all(due.map((job) => buildTask(store, job, attempts[job.id])));
    const looks = due.some(
      ({ layer, model }) => frameNeeds(jobLayerOf(layer), usesVisionEndpoint(model)) !== null,
    );
    const pictures = looks
      ? await retryQuietly(engine, () => pictureSources(store, shared, worker, places), signal)
      : null;
    await engine.threads.do(
      { type: 'annotate', key, items, tasks, pictures },
      {
        signal,
        onPart: (part) => onPart(part as AnnotatedPart),
        onWaiting: (failure) => {
          for (const ref of refs) void recordWaiting(engine, jobKind, ref, failure);
        },
      },
    );
  } finally {
    for (const ref of refs) {
      await jobItemRows.releaseItems(jobWork(store, ref), worker, places, suspect).catch(() => {});
    }
  }
}

/** Counts an attempt of a job that another process left unfinished; once per process. */
async function countRestart(engine: Engine, ref: JobRef): Promise<void> {
  if (engine.restarted_jobs.has(ref.job_id)) return;
  engine.restarted_jobs.add(ref.job_id);
  await withJob(engine, ref, (job) => updateJob(engine.store, job, { attempts: job.attempts + 1 }));
}

async function buildTask(
  { data_folder, vision_endpoint }: Store,
  job: JobRow,
  attempts: AnnotateTask['attempts'],
): Promise<AnnotateTask> {
  const surfaces = surfacesOf(jobLayerOf(job.layer));
  return {
    layer: job.layer,
    config: job.config as LayerConfig,
    models: await resolveModelRefs(data_folder, surfaces, modelsOfJob(job), vision_endpoint),
    prefix: artifactPrefix(job),
    attempts,
  };
}

/** Returns the picture sources of the episodes that a worker has claimed. */
async function pictureSources(
  store: Store,
  work: jobItemRows.SharedWork,
  worker: string,
  places: Places,
): Promise<PictureSources> {
  const { source_ids, datasets } = await jobItemRows.findRecordings(work, worker, places);
  const recordings: Record<string, RecordingsRef | Failure> = {};
  for (const id of source_ids) recordings[id] = await resolveSource(store, work, id).catch(toFailure);
  return { recordings, datasets: datasets as Readonly<Record<string, RecognisedDataset>> };
}

async function resolveSource(
  store: Store,
  { tenant_id }: jobItemRows.SharedWork,
  id: string,
): Promise<RecordingsRef> {
  const source = await sourceRows.getSource({ sql: store.database.sql, tenant_id }, id);
  if (source === null) throw recordingNotFound('the source was deleted');
  return resolveRecordings(store, source);
}

/** Minimum time between two progress events of a job. */
const progressInterval_ms = 300;
/** Delay of the first retry of an episode in seconds; doubled with each fault. */
const firstRetryDelay_s = 5;
const maxRetryDelay_s = 300;

/** Commits finished annotations. Returns false if the job is no longer wanted. */
async function commitPart(
  engine: Engine,
  ref: JobRef,
  part: AnnotatedPart,
  signal: AbortSignal,
): Promise<boolean> {
  const committed = await withJob(
    engine,
    ref,
    async (job, work) => {
      const token_prices = findModelTokenPrices(engine.store.prices, modelsOfJob(job));
      const annotating = { ...job, ...work, token_prices };
      const totals = await annotatedRows.commitAnnotated(annotating, engine.worker, part);
      await continueJob(engine, ref, await addTotals(engine, job, totals), totals);
      return true;
    },
    signal,
  );
  return committed ?? false;
}

function addTotals({ store }: Engine, job: JobRow, totals: AnnotatedTotals): Promise<JobRow> {
  const tokens_usd = computeTokenCost(findModelTokenPrices(store.prices, modelsOfJob(job)), totals);
  return jobRows.updateJob({ sql: store.database.sql, tenant_id: job.tenant_id }, job.id, {
    done: job.done + totals.done,
    failed: job.failed + totals.failed,
    compute_s: job.compute_s + totals.compute_s,
    uncharged_s: job.uncharged_s + totals.compute_s,
    gpu_s: job.gpu_s + totals.gpu_s,
    uncharged_gpu_s: job.uncharged_gpu_s + totals.gpu_s,
    device_note: totals.device_note ?? job.device_note,
    prompt_tokens: job.prompt_tokens + totals.prompt_tokens,
    completion_tokens: job.completion_tokens + totals.completion_tokens,
    tokens_usd: job.tokens_usd + tokens_usd,
    uncharged_tokens_usd: job.uncharged_tokens_usd + tokens_usd,
    attempts: Math.max(job.attempts, ...totals.again.map(({ faults }) => faults + 1)),
    waiting: null,
  });
}

/** Ends the job if nothing is left or the budget is used up; otherwise schedules retries and publishes progress. */
async function continueJob(
  engine: Engine,
  ref: JobRef,
  counted: JobRow,
  totals: AnnotatedTotals,
): Promise<void> {
  const { store } = engine;
  const { total, done, failed, skipped } = counted;
  if (done + failed + skipped >= total) {
    await concludeJob(store, counted);
    return;
  }
  const covered = await reserveOverrun(store, counted);
  if ('code' in covered) {
    await stopJob(store, counted, { status: 'failed', error: covered });
    return;
  }
  const job = await chargeJob(store, covered, 'worth it');
  await scheduleRetries(engine, { ...ref, layer: job.layer }, totals.again);
  const now = new Date();
  if (job.progress_at !== null && now.getTime() - job.progress_at.getTime() < progressInterval_ms) return;
  const { sql } = store.database;
  await jobRows.updateJob({ sql, tenant_id: job.tenant_id }, job.id, { progress_at: now });
  await publishJobProgress(store, job, totals.last_episode);
}

async function scheduleRetries(
  { store }: Engine,
  layered: Parameters<typeof queueRetry>[1],
  retries: AnnotatedTotals['again'],
): Promise<void> {
  for (const [faults, rows] of Map.groupBy(retries, ({ faults }) => faults)) {
    const after_s = Math.min(maxRetryDelay_s, firstRetryDelay_s * 2 ** (faults - 1));
    const places = rows.map(({ place }) => place);
    await queueRetry(store, layered, places, after_s);
  }
}

/** Runs `act` in a transaction with the locked job, and returns its result; null if the job is not running or stopping. */
export const withJob = <T>(
  engine: Engine,
  ref: JobRef,
  act: (job: JobRow, rows: JobWork) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> =>
  withRunningWork(engine, jobKind, ref, (job) => act(job, jobWork(engine.store, ref)), signal);

/** Annotation jobs as a kind of work. */
export const jobKind: WorkKind<JobRef, JobRow> = {
  noun: 'job',
  tryAgain: 'queue the layer again',
  keyOf: ({ job_id }) => job_id,
  read: (scope, { job_id }) => jobRows.getJob(scope, job_id),
  lock: (scope, { job_id }) => jobRows.lockJob(scope, job_id),
  stateOf: ({ status }) => {
    if (status === 'cancelling') return 'stopping';
    return status === 'queued' || status === 'running' ? status : 'over';
  },
  start: (store, job, now) => updateJob(store, job, { status: 'running', started_at: now }),
  setWaiting: (store, job, waiting) => updateJob(store, job, { waiting }),
  fail: async ({ store }, _, job, error) => {
    await stopJob(store, job, { status: 'failed', error });
  },
  findStopped: findStoppedJobs,
  // Published with each commit.
  publishProgress: async () => {},
};

async function findStoppedJobs(database: Database, refs: readonly JobRef[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.job_id FROM json_to_recordset($1::json) AS r (tenant_id text, job_id text)
     LEFT JOIN jobs ON jobs.tenant_id = r.tenant_id AND jobs.id = r.job_id AND jobs.status = 'running'
     WHERE jobs.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set(rows.map(({ job_id }) => job_id));
}
