import { layerTitle } from '#core/titles';
import {
  annotationRows,
  type JobRow,
  jobEventRows,
  jobItemRows,
  jobRows,
  projectRows,
  type RunError,
  type Store,
  sweepOrphans,
} from '#store';
import { type NotificationStore, raiseEvent } from '../../notifications/raise-event.ts';
import { type Engine, orphanDelay_s } from '../engine.ts';
import { artifactPrefix, hasEnded, type JobRef, jobWork, layerPrefix, updateJob } from './job.ts';
import { chargeJob, releaseJob } from './job-costs.ts';

type JobStore = NotificationStore;

/** Returns the final status of a job whose episodes are all done, failed or skipped. */
function finalStatus({ done, failed }: JobRow): 'succeeded' | 'partial' | 'failed' {
  if (failed === 0) return 'succeeded';
  return done === 0 ? 'failed' : 'partial';
}

/**
 * Ends a locked job whose episodes are all finished, as succeeded, partial or failed (then with the error of one episode), and
 * returns its row.
 */
export async function concludeJob(store: JobStore, job: JobRow): Promise<JobRow> {
  const status = finalStatus(job);
  const [first] =
    status === 'failed' ? await jobItemRows.listFailures(store.database, job.tenant_id, [job.id], 1) : [];
  return endJob(store, job, { status, error: first?.error ?? null });
}

/**
 * Ends a locked job early as failed or cancelled: keeps finished episodes, skips waiting ones, charges its costs,
 * releases its reservation, queues follow-up steps, and returns its row.
 */
export async function stopJob(
  store: JobStore,
  job: JobRow,
  end: { readonly status: 'failed' | 'cancelled'; readonly error: RunError | null },
): Promise<JobRow> {
  const { tenant_id, id } = job;
  const work = jobWork(store, { tenant_id, job_id: id });
  const skipped = job.skipped + (await jobItemRows.endWaiting(work, 'skipped', null, null));
  const row = await jobRows.updateJob({ sql: store.database.sql, tenant_id }, id, { skipped });
  return endJob(store, row, end);
}

/** Layers whose artifacts are text that is searched. */
const textLayers: ReadonlySet<JobRow['layer']> = new Set(['captions', 'dense_text']);

/**
 * Ends a job and returns its row: settles its budget, publishes its end, schedules the deletion of orphaned blobs, and queues
 * what follows for its texts and its run.
 */
async function endJob(store: JobStore, job: JobRow, end: Pick<JobRow, 'status' | 'error'>): Promise<JobRow> {
  const { tenant_id, id, run_id } = job;
  const charged = await chargeJob(store, job, 'always');
  await releaseJob(store, charged);
  const ref = { tenant_id, job_id: id };
  await jobEventRows.pruneJobProgress(store.database, ref, 'none');
  await store.queue.send('job_steps', [{ ...ref, step: 'sweep' }], { after_s: orphanDelay_s });
  if (textLayers.has(job.layer))
    await store.queue.send('text_steps', [{ tenant_id, project_id: job.project_id }]);
  if (run_id !== null) await store.queue.send('run_steps', [{ tenant_id, run_id, step: 'annotated' }]);
  const ended = await updateJob(store, charged, { ...end, waiting: null, finished_at: new Date() });
  // A failed job of a single episode is not reported: its caller waits for the answer.
  if (end.status === 'failed' && job.origin !== 'episode') await reportJobFailed(store, ended);
  return ended;
}

async function reportJobFailed(store: JobStore, job: JobRow): Promise<void> {
  const { tenant_id, id, project_id, run_id, layer, total, done, failed, error } = job;
  await raiseEvent(store, job, { type: 'job.failed', project_id }, async () => {
    const project = await projectRows.getProject({ sql: store.database.sql, tenant_id }, project_id);
    return {
      message: `The annotation of ${project?.name ?? 'a deleted project'} with ${layerTitle(layer).toLowerCase()} failed${error === null ? '' : ` (${error.code})`}.`,
      links: {
        web: `/projects/${project_id}/runs`,
        api: `/v1/projects/${project_id}/annotation/jobs/${id}`,
      },
      data: {
        ...{ job_id: id, run_id, layer, error_code: error?.code ?? null },
        episodes: { total, done, failed },
      },
    };
  });
}

/**
 * Deletes artifacts of an ended job's layer that no annotation names, because this job replaced them or workers were
 * interrupted; does nothing before the job has ended. A job of one episode checks only its own artifacts; what it replaced is
 * deleted after the next larger job.
 */
export async function sweepJob(engine: Engine, ref: JobRef): Promise<void> {
  const { database, blobs } = engine.store;
  const { tenant_id } = ref;
  const job = await jobRows.getJob({ sql: database.sql, tenant_id }, ref.job_id);
  if (job === null || !hasEnded(job.status)) return;
  await sweepOrphans(blobs, {
    prefix: `${job.origin === 'episode' ? artifactPrefix(job) : layerPrefix(job)}/`,
    written_before: new Date(Date.now() - (orphanDelay_s / 2) * 1000),
    findReferenced: (keys) => annotationRows.findReferencedArtifacts(database, tenant_id, keys),
  });
}

/** Time for workers to release their episodes; they notice a cancellation within a second. */
const cancelTimeout_s = 5;

/**
 * Cancels a locked job and returns its row: a queued one ends at once, a running one becomes `cancelling` and ends within 5 s.
 * The caller ensures that it has not ended and is not being cancelled.
 */
export async function cancelLockedJob(store: Store, row: JobRow): Promise<JobRow> {
  if (row.status === 'queued') return stopJob(store, row, { status: 'cancelled', error: null });
  const ref = { tenant_id: row.tenant_id, job_id: row.id };
  await store.queue.send('job_steps', [{ ...ref, step: 'conclude' }], { after_s: cancelTimeout_s });
  return updateJob(store, row, { status: 'cancelling' });
}
