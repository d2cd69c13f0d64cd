// Written by `npm run generate` from src/core/api. Change it there.
import type { AnnotationJob, AnnotationJobProgress } from './annotation-jobs.ts';
import type { JobLayerId } from './shared.ts';

export interface EnqueueAnnotationJobInput {
  readonly project_id: string;
  readonly layer: JobLayerId;
  readonly episode_ids?: readonly string[] | undefined;
  readonly force?: boolean | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface ListAnnotationJobsInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly layer?: JobLayerId | undefined;
  readonly status?:
    | 'queued'
    | 'running'
    | 'cancelling'
    | 'succeeded'
    | 'partial'
    | 'failed'
    | 'cancelled'
    | undefined;
}

export interface PreviewAnnotationJobInput {
  readonly project_id: string;
  readonly layer: JobLayerId;
  readonly episode_ids?: readonly string[] | undefined;
  readonly force?: boolean | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface StreamAnnotationJobsInput {
  readonly project_id: string;
}

/** What `stream_annotation_jobs` tells. */
export type StreamAnnotationJobsEvent =
  | {
      readonly id?: string | undefined;
      readonly event: 'snapshot';
      readonly data: {
        readonly items: readonly AnnotationJob[];
      };
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'job';
      readonly data: AnnotationJob;
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'progress';
      readonly data: AnnotationJobProgress;
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'heartbeat';
      readonly data: {
        readonly at: string;
      };
    };

export interface GetAnnotationJobInput {
  readonly project_id: string;
  readonly job_id: string;
}

export interface CancelAnnotationJobInput {
  readonly project_id: string;
  readonly job_id: string;
}
