// Written by `npm run generate` from src/core/api. Change it there.
import type { ComputeEstimate, JobLayerId, RunError } from './shared.ts';

export interface AnnotationJob {
  readonly id: string;
  readonly project_id: string;
  readonly layer: JobLayerId;
  readonly status: 'queued' | 'running' | 'cancelling' | 'succeeded' | 'partial' | 'failed' | 'cancelled';
  readonly origin: 'queue' | 'run' | 'episode';
  readonly run_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly episodes: {
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly failures: readonly {
    readonly episode_id: string;
    readonly error: RunError;
  }[];
  readonly config: Readonly<Record<string, number | boolean | string | readonly string[]>>;
  readonly model: string | null;
  readonly force: boolean;
  readonly estimate: ComputeEstimate | null;
  readonly estimate_usd: number;
  readonly reserved_usd: number;
  readonly measured_usd: number;
  readonly compute_s: number;
  readonly devices: readonly {
    readonly device: 'cpu' | 'gpu';
    readonly compute_s: number;
    readonly cost_usd: number;
  }[];
  readonly device_note: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly narrowed_from: number | null;
  readonly attempts: number;
  readonly error: RunError | null;
  readonly waiting: RunError | null;
  readonly eta_s: number | null;
}

export interface AnnotationJobPreview {
  readonly layer: JobLayerId;
  readonly model: string | null;
  readonly config: Readonly<Record<string, number | boolean | string | readonly string[]>>;
  readonly episodes: number;
  readonly narrowed_from: number | null;
  readonly estimate: ComputeEstimate | null;
  readonly estimate_usd: number;
  readonly job_id: string | null;
}

export interface AnnotationJobProgress {
  readonly job_id: string;
  readonly done: number;
  readonly total: number;
  readonly episode_id: string | null;
  readonly eta_s: number | null;
}
