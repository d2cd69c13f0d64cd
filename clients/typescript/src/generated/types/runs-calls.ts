// Written by `npm run generate` from src/core/api. Change it there.
import type { RunProgress } from './runs.ts';
import type { Finding, Run } from './shared.ts';

export interface PlanRunInput {
  readonly project_id: string;
  readonly source_id: string;
}

export interface StartRunInput {
  readonly project_id: string;
  readonly source_id: string;
  readonly plan_hash?: string | undefined;
}

export interface ListRunsInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly source_id?: string | undefined;
  readonly status?: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled' | undefined;
}

export interface GetRunInput {
  readonly run_id: string;
}

export interface CancelRunInput {
  readonly run_id: string;
}

export interface ResumeRunInput {
  readonly run_id: string;
}

export interface StreamRunInput {
  readonly run_id: string;
}

/** What `stream_run` tells. */
export type StreamRunEvent =
  | {
      readonly id?: string | undefined;
      readonly event: 'run';
      readonly data: Run;
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'progress';
      readonly data: RunProgress;
    }
  | {
      readonly id?: string | undefined;
      readonly event: 'finding';
      readonly data: Finding;
    };

export interface ListRunFindingsInput {
  readonly run_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GetRunReportInput {
  readonly run_id: string;
  readonly file: string;
}
