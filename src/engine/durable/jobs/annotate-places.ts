import type { RecognisedDataset } from '#formats';
import type { RecordingsRef } from '#io/sources';
import { framesOf, jobLayerOf, type LayerConfig, usedLayers } from '#labels/annotation';
import { modelRefs } from '#labels/models';
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
import { tokensCost } from '../../budget/prices.ts';
import { patiently } from '../../patience.ts';
import { recordingsOf } from '../../recordings/recordings-of.ts';
import { goneRecording } from '../../recordings/with-files.ts';
import type { AnnotatedPart, AnnotateTask, PictureSources } from '../../steps/messages.ts';
import type { AnnotateItem } from '../../steps/units.ts';
import { type Failure, failureOf } from '../../workers/failure.ts';
import type { Engine, WorkKind } from '../engine.ts';
import { tellWaiting, withWork } from '../held-work.ts';
import { artifactPrefix } from './artifact-prefix.ts';
import { concludeJob, stopJob } from './end-job.ts';
import { type JobRef, refOfJob, workOf } from './job-ref.ts';
import { asksEndpoint, modelsOfJob } from './lane-plan.ts';
import { queueAgain } from './queue-ranges.ts';
import { chargeJob, coverOverrun } from './settle-job.ts';
import { changeJob, tellJobProgress } from './tell-job.ts';
import { tokenPricesFor } from './token-prices.ts';

export interface AnnotatePlaces {
  /** Running; of one run where there are several. */
  readonly jobs: readonly JobRow[];
  /** The same episodes in each job. */
  readonly places: Places;
  /** Until it is over it counts as a death of each. */
  readonly suspect: boolean;
  readonly signal: AbortSignal;
  /** What a thread keeps open between requests is named by it. */
  readonly key: string;
  readonly onCommitted?: () => void;
}

/** Annotates what is still to be done of some places, in all jobs at once; what was not finished is given back. */
export async function annotatePlaces(engine: Engine, work: AnnotatePlaces): Promise<void> {
  const { jobs, places, suspect, signal, key, onCommitted } = work;
  const { store, worker } = engine;
  const [{ tenant_id }] = jobs;
  const shared = { database: store.database, tenant_id, job_ids: jobs.map(({ id }) => id) };
  const outputs_of = [...new Set(jobs.flatMap(({ layer }) => usedLayers(jobLayerOf(layer))))];
  const claim = () => jobItemRows.claimItems<AnnotateItem>(shared, { worker, places, suspect, outputs_of });
  const { items, attempts } = await patiently(engine, claim, signal);
  const due = jobs.filter(({ id }) => attempts[id] !== undefined);
  if (due.length === 0) return;
  const refs = due.map(refOfJob);
  const onPart = async (part: AnnotatedPart) => {
    const wanted = await commitPart(engine, refs[part.task], part, signal);
    if (wanted) onCommitted?.();
    return wanted;
  };
  try {
    const tasks = await Promise.all(due.map((job) => taskOf(store, job, attempts[job.id])));
    const looks = due.some(({ layer, model }) => framesOf(jobLayerOf(layer), asksEndpoint(model)) !== null);
    const pictures = looks
      ? await patiently(engine, () => pictureSources(store, shared, worker, places), signal)
      : null;
    await engine.threads.do(
      { type: 'annotate', key, items, tasks, pictures },
      {
        signal,
        onPart: (part) => onPart(part as AnnotatedPart),
        onWaiting: (failure) => {
          for (const ref of refs) void tellWaiting(engine, jobKind, ref, failure);
        },
      },
    );
  } finally {
    for (const ref of refs) {
      await jobItemRows.releaseItems(workOf(store, ref), worker, places, suspect).catch(() => {});
    }
  }
}

async function taskOf(
  { data_folder, vision_endpoint }: Store,
  job: JobRow,
  attempts: AnnotateTask['attempts'],
): Promise<AnnotateTask> {
  const { surfaces } = jobLayerOf(job.layer).needs;
  return {
    layer: job.layer,
    config: job.config as LayerConfig,
    models: await modelRefs(data_folder, surfaces, modelsOfJob(job), vision_endpoint),
    prefix: artifactPrefix(job),
    attempts,
  };
}

/** Where the pictures of the episodes that a worker has taken are read from. */
async function pictureSources(
  store: Store,
  work: jobItemRows.SharedWork,
  worker: string,
  places: Places,
): Promise<PictureSources> {
  const { source_ids, datasets } = await jobItemRows.findRecordings(work, worker, places);
  const recordings: Record<string, RecordingsRef | Failure> = {};
  for (const id of source_ids) recordings[id] = await recordingsNow(store, work, id).catch(failureOf);
  return { recordings, datasets: datasets as Readonly<Record<string, RecognisedDataset>> };
}

async function recordingsNow(
  store: Store,
  { tenant_id }: jobItemRows.SharedWork,
  id: string,
): Promise<RecordingsRef> {
  const source = await sourceRows.getSource({ sql: store.database.sql, tenant_id }, id);
  if (source === null) throw goneRecording('the source was taken out');
  return recordingsOf(store, source);
}

/** Between two progress events of a job. */
const pause_ms = 300;
/** Seconds until an episode is tried again, doubled with each fault. */
const firstPause_s = 5;
const longestPause_s = 300;

/** Writes down what a worker finished. False where the job does not want it any more. */
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
      const token_prices = tokenPricesFor(engine.store.prices, modelsOfJob(job));
      const annotating = { ...job, ...work, token_prices };
      const totals = await annotatedRows.commitAnnotated(annotating, engine.worker, part);
      await goOn(engine, ref, await count(engine, job, totals), totals);
      return true;
    },
    signal,
  );
  return committed ?? false;
}

function count({ store }: Engine, job: JobRow, totals: AnnotatedTotals): Promise<JobRow> {
  const tokens_usd = tokensCost(tokenPricesFor(store.prices, modelsOfJob(job)), totals);
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

/** Ends the job where nothing is left or the budget is used up, else has faults tried again and tells how far it is. */
async function goOn(engine: Engine, ref: JobRef, counted: JobRow, totals: AnnotatedTotals): Promise<void> {
  const { store } = engine;
  const { total, done, failed, skipped } = counted;
  if (done + failed + skipped >= total) {
    await concludeJob(store, counted);
    return;
  }
  const covered = await coverOverrun(store, counted);
  if ('code' in covered) {
    await stopJob(store, counted, { status: 'failed', error: covered });
    return;
  }
  const job = await chargeJob(store, covered, 'worth it');
  await tryAgain(engine, { ...ref, layer: job.layer }, totals.again);
  const now = new Date();
  if (job.progress_at !== null && now.getTime() - job.progress_at.getTime() < pause_ms) return;
  const { sql } = store.database;
  await jobRows.updateJob({ sql, tenant_id: job.tenant_id }, job.id, { progress_at: now });
  await tellJobProgress(store, job, totals.last_episode);
}

async function tryAgain(
  { store }: Engine,
  layered: Parameters<typeof queueAgain>[1],
  again: AnnotatedTotals['again'],
): Promise<void> {
  for (const [faults, rows] of Map.groupBy(again, ({ faults }) => faults)) {
    const after_s = Math.min(longestPause_s, firstPause_s * 2 ** (faults - 1));
    const places = rows.map(({ place }) => place);
    await queueAgain(store, layered, places, after_s);
  }
}

/** Does something to a job that is held, while its work is still taken: null where it is not. */
export const withJob = <T>(
  engine: Engine,
  ref: JobRef,
  act: (job: JobRow, rows: JobWork) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> => withWork(engine, jobKind, ref, (job) => act(job, workOf(engine.store, ref)), signal);

/** Annotation jobs: begun, held, told of and ended alike by every step. */
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
  start: (store, job, now) => changeJob(store, job, { status: 'running', started_at: now }),
  setWaiting: (store, job, waiting) => changeJob(store, job, { waiting }),
  fail: async ({ store }, _, job, error) => {
    await stopJob(store, job, { status: 'failed', error });
  },
  gone: goneJobs,
  // Told with each commit.
  tellProgress: async () => {},
};

async function goneJobs(database: Database, refs: readonly JobRef[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.job_id FROM json_to_recordset($1::json) AS r (tenant_id text, job_id text)
     LEFT JOIN jobs ON jobs.tenant_id = r.tenant_id AND jobs.id = r.job_id AND jobs.status = 'running'
     WHERE jobs.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set(rows.map(({ job_id }) => job_id));
}
