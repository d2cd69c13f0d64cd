// Written by `npm run generate` from src/core/api. Change it there.
import type { CurationPlanSummary, Export, Slice } from './shared.ts';

export interface ClosedLoop {
  readonly import_id: string;
  readonly slice: Slice | null;
  readonly boosted: number;
  readonly curation: CurationPlanSummary;
  readonly export: Export;
}

export interface Failure {
  readonly id: string;
  readonly import_id: string;
  readonly record_id: string;
  readonly task: string | null;
  readonly failure_mode: string | null;
  readonly time_s: number | null;
  readonly occurred_at: string | null;
  readonly episode_id: string | null;
  readonly verdict: 'near' | 'novel' | 'not_assessable';
  readonly reason: string | null;
  readonly by: 'motion' | 'words' | null;
  readonly distance: number | null;
  readonly novelty: number | null;
  readonly nearest: readonly {
    readonly episode_id: string;
    readonly distance: number;
  }[];
}

export interface FailureImport {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly neighbours: number;
  readonly novel_from: number;
  readonly failures: number;
  readonly near: number;
  readonly novel: number;
  readonly not_assessable: number;
  readonly baseline: {
    readonly episodes: number;
    readonly motion: number;
    readonly words: number;
  };
  readonly notes: readonly string[];
  readonly slice_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

export interface FailureRecord {
  readonly id: string;
  readonly task?: string | undefined;
  readonly failure_mode?: string | undefined;
  readonly time_s?: number | undefined;
  readonly occurred_at?: string | undefined;
  readonly episode?: string | undefined;
  readonly recording?: string | undefined;
  readonly trajectory?: Trajectory | undefined;
}

export interface Trajectory {
  readonly rate_hz?: number | undefined;
  readonly times_s?: readonly number[] | undefined;
  readonly state?: readonly (readonly number[])[] | undefined;
  readonly action?: readonly (readonly number[])[] | undefined;
}
