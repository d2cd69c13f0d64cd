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
   * Queue an annotation job.
   *
   * Runs one layer on the episodes that do not have it yet; with `force`, on all of them. If a job for
   * the layer is already queued or running, returns that job with status 200 instead of queuing another.
   * The estimated cost is reserved from the budget first.
   *
   * Requires the role `engineer` or higher.
   */
  enqueue: (input: EnqueueAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('enqueue_annotation_job', input, options),

  /**
   * List a project’s annotation jobs, newest first.
   *
   * Includes jobs started by runs, with the run’s id.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListAnnotationJobsInput, options?: CallOptions): Promise<Page<AnnotationJob>> =>
    call('list_annotation_jobs', input, options),

  /**
   * Preview an annotation job and its cost without queuing it.
   *
   * Applies the same checks as queuing the job and returns the same errors.
   *
   * Requires the role `viewer` or higher.
   */
  preview: (input: PreviewAnnotationJobInput, options?: CallOptions): Promise<AnnotationJobPreview> =>
    call('preview_annotation_job', input, options),

  /**
   * Stream the progress of a project’s annotation jobs.
   *
   * The first event is `snapshot`, with all open jobs. After it come `job` on each change, `progress` a
   * few times per second, and `heartbeat` after 15 seconds without other events. Event ids increase:
   * send the last one as `Last-Event-ID` to resume after a disconnect.
   *
   * Requires the role `viewer` or higher.
   */
  stream: (
    input: StreamAnnotationJobsInput,
    options?: StreamOptions,
  ): AsyncGenerator<StreamAnnotationJobsEvent> => follow('stream_annotation_jobs', input, options),

  /**
   * Get an annotation job.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('get_annotation_job', input, options),

  /**
   * Cancel an annotation job.
   *
   * Finished episodes keep their annotations and the unused budget reservation is released. A running
   * job is `cancelling` for a second or two.
   *
   * Requires the role `engineer` or higher.
   */
  cancel: (input: CancelAnnotationJobInput, options?: CallOptions): Promise<AnnotationJob> =>
    call('cancel_annotation_job', input, options),
});
