// Written by `npm run generate` from src/core/api. Change it there.
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

export interface AnnotationJobsOperations {
  enqueue_annotation_job: {
    input: EnqueueAnnotationJobInput;
    answer: AnnotationJob;
    error:
      | 'already_produced'
      | 'budget_exceeded'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'layer_inapplicable'
      | 'layer_not_servable'
      | 'layer_off'
      | 'layer_unavailable'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_annotation_jobs: {
    input: ListAnnotationJobsInput;
    answer: Page<AnnotationJob>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  preview_annotation_job: {
    input: PreviewAnnotationJobInput;
    answer: AnnotationJobPreview;
    error:
      | 'already_produced'
      | 'budget_exceeded'
      | 'layer_inapplicable'
      | 'layer_not_servable'
      | 'layer_off'
      | 'layer_unavailable'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  stream_annotation_jobs: {
    input: StreamAnnotationJobsInput;
    answer: StreamAnnotationJobsEvent;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_annotation_job: {
    input: GetAnnotationJobInput;
    answer: AnnotationJob;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  cancel_annotation_job: {
    input: CancelAnnotationJobInput;
    answer: AnnotationJob;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
