// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions, StreamOptions } from '../../options.ts';
import type {
  CancelAnnotationJobInput,
  EnqueueAnnotationJobInput,
  GetAnnotationJobInput,
  ListAnnotationJobsInput,
  PreviewAnnotationJobInput,
  StreamAnnotationJobsEvent,
  StreamAnnotationJobsInput,
} from '../types/annotation-jobs-calls.ts';
import type { AnnotationJob, AnnotationJobPreview } from '../types/annotation-jobs.ts';
import type { Page } from '../types/shared.ts';

export const annotationJobs = ({ call, follow }: Calls) => ({
  /**
   * Queue a layer for the episodes that need it.
   *
   * Episodes that already carry the layer are skipped unless `force` is set. If a job of the layer is
   * queued or running, that job is returned with 200 and no second one is queued. The estimated cost is
   * reserved first.
   *
   * Needs the role `engineer`.
   */
  enqueue: (input: EnqueueAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('enqueue_annotation_job', input, options),

  /**
   * List a project’s jobs, newest first.
   *
   * Includes the jobs that belong to runs, each with its run.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListAnnotationJobsInput, options?: CallOptions): Promise<Page<AnnotationJob>> =>
    call('list_annotation_jobs', input, options),

  /**
   * Preview what a job would do and cost, without queueing it.
   *
   * Under the guards of the job itself: what would be refused is refused with the same reason.
   *
   * Needs the role `engineer`.
   */
  preview: (input: PreviewAnnotationJobInput, options?: CallOptions): Promise<AnnotationJobPreview> =>
    call('preview_annotation_job', input, options),

  /**
   * Stream a project’s jobs as they progress.
   *
   * The first event is `snapshot`, with every job that has not ended. Then come `job` after each change,
   * `progress` a few times a second, and `heartbeat` after 15 seconds of silence. Ids grow: a client
   * that reconnects with the last one as `Last-Event-ID` continues after it.
   *
   * Needs the role `viewer`.
   */
  stream: (
    input: StreamAnnotationJobsInput,
    options?: StreamOptions,
  ): AsyncGenerator<StreamAnnotationJobsEvent> => follow('stream_annotation_jobs', input, options),

  /**
   * Get one job.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('get_annotation_job', input, options),

  /**
   * Cancel a job and keep what is done.
   *
   * The reservation for the rest is released. A running job is `cancelling` for a second or two.
   *
   * Needs the role `engineer`.
   */
  cancel: (input: CancelAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('cancel_annotation_job', input, options),
});
