// Written by `npm run generate` from src/contract. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions, StreamOptions } from '../../options.ts';
import type {
  CancelAnnotationJobInput,
  EnqueueAnnotationJobInput,
  GetAnnotationJobInput,
  ListAnnotationJobsInput,
  StreamAnnotationJobsEvent,
  StreamAnnotationJobsInput,
} from '../types/annotation-jobs-calls.ts';
import type { AnnotationJob } from '../types/annotation-jobs.ts';
import type { Page } from '../types/shared.ts';

export const annotationJobs = ({ call, follow }: Calls) => ({
  /**
   * Queues a layer for the episodes that need it.
   *
   * Episodes that carry the layer already are left out, unless `force` says otherwise. While a job of
   * the layer is queued or under way it is answered, with 200, instead of a second being queued. What it
   * is estimated to cost is put aside first.
   *
   * Needs the role `engineer`.
   */
  enqueue: (input: EnqueueAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('enqueue_annotation_job', input, options),

  /**
   * Lists a project’s jobs, newest first.
   *
   * Those of runs too, with the run they are part of.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListAnnotationJobsInput, options?: CallOptions): Promise<Page<AnnotationJob>> =>
    call('list_annotation_jobs', input, options),

  /**
   * Tells of a project’s jobs as they go on.
   *
   * First `snapshot` with every job that has not ended; then `job` after each change, `progress` a few
   * times a second, and `heartbeat` every 15 seconds of silence. Ids grow: a client that sends the last
   * one as `Last-Event-ID` goes on after it.
   *
   * Needs the role `viewer`.
   */
  stream: (
    input: StreamAnnotationJobsInput,
    options?: StreamOptions,
  ): AsyncGenerator<StreamAnnotationJobsEvent> => follow('stream_annotation_jobs', input, options),

  /**
   * Gets one job.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('get_annotation_job', input, options),

  /**
   * Cancels a job; what is done stays.
   *
   * What was put aside for the rest is given back. A job that is being worked on is `cancelling` for a
   * second or two.
   *
   * Needs the role `engineer`.
   */
  cancel: (input: CancelAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('cancel_annotation_job', input, options),
});
