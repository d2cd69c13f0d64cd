import type { RunRow } from '#store';
import type { Lease } from './work-watch.ts';

/** What a step of a run is done with. */
export interface StepContext {
  /** As it was when the job was taken. */
  readonly run: RunRow;
  readonly lease: Lease;
  /** Aborted when the process stops or the job went elsewhere; the lease's also when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** A stretch of units: first and last place. */
export interface StretchContext extends StepContext {
  readonly from: number;
  readonly to: number;
  /** A process died under this job before. */
  readonly again: boolean;
}
