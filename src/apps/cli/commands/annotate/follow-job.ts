import { setTimeout as pause } from 'node:timers/promises';
import {
  type AnnotationJob,
  type AssayClient,
  requestOf,
  type StreamAnnotationJobsEvent,
} from '@assay/client';
import { again_ms, demandPassing } from '../../demand-passing.ts';
import type { Io } from '../../io.ts';
import { createJobLine, type JobLine } from '../../tables/job-line.ts';

export const hasEnded = ({ status }: AnnotationJob): boolean =>
  status === 'succeeded' || status === 'partial' || status === 'failed' || status === 'cancelled';

/** What operations on one job are asked with. */
export const ofJob = ({ id, project_id }: AnnotationJob) => ({ project_id, job_id: id });

/**
 * Shows how a job goes on, until its end or until the person stops watching; gives the job as it was last told. A stream
 * that is cut is taken up after its last event. Throws `storage_unavailable` where the service stays away.
 */
export async function followJob(client: AssayClient, job: AnnotationJob, io: Io): Promise<AnnotationJob> {
  const line = createJobLine(io, job.layer);
  const watch: Watch = { job, after: undefined, heard_ms: performance.now() };
  try {
    while (!hasEnded(watch.job) && !io.signal.aborted) {
      try {
        await readEvents(client, watch, line, io.signal);
        if (hasEnded(watch.job)) break;
        // The stream ended or was cut, or the job had ended before it began.
        watch.job = await client.annotationJobs.get(ofJob(job));
        watch.heard_ms = performance.now();
        if (!hasEnded(watch.job)) await pause(again_ms, null, { signal: io.signal });
      } catch (thrown) {
        if (io.signal.aborted) break;
        demandPassing(thrown, watch.heard_ms, 'job', requestOf('get_annotation_job', ofJob(job)).path);
        await pause(again_ms, null, { signal: io.signal }).catch(() => {});
      }
    }
    return watch.job;
  } finally {
    line.end();
  }
}

interface Watch {
  job: AnnotationJob;
  /** Id of the last event that came. */
  after: string | undefined;
  /** When the service last said something. */
  heard_ms: number;
}

/** Takes events in until the job has ended, or is not among those that are open. */
async function readEvents(
  client: AssayClient,
  watch: Watch,
  line: JobLine,
  signal: AbortSignal,
): Promise<void> {
  const { id: job_id, project_id } = watch.job;
  const options = { signal, last_event_id: watch.after, tries: 1 };
  for await (const told of client.annotationJobs.stream({ project_id }, options)) {
    watch.heard_ms = performance.now();
    watch.after = told.id ?? watch.after;
    const now = jobsOf(told).find((one) => one.id === job_id);
    if (now !== undefined) hear(watch, line, now);
    else if (told.event === 'snapshot') return;
    else if (told.event === 'progress' && told.data.job_id === job_id) line.show(told.data);
    if (hasEnded(watch.job)) return;
  }
}

function jobsOf({ event, data }: StreamAnnotationJobsEvent): readonly AnnotationJob[] {
  if (event === 'snapshot') return data.items;
  return event === 'job' ? [data] : [];
}

function hear(watch: Watch, line: JobLine, job: AnnotationJob): void {
  const { total, done, failed } = job.episodes;
  const waiting = job.waiting?.message;
  if (waiting !== undefined && waiting !== watch.job.waiting?.message) line.say(`the job waits: ${waiting}`);
  watch.job = job;
  if (!hasEnded(job)) line.show({ done: done + failed, total, eta_s: job.eta_s });
}
