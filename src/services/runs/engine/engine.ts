import type { Store } from '#store';
import type { WorkThreads } from '../threads/work-threads.ts';
import type { RunRef } from './run-ref.ts';
import type { RunWatch } from './run-watch.ts';

/** For whoever looks after the service. */
export interface RunLog {
  warn(facts: Readonly<Record<string, unknown>>, said: string): void;
}

/** What the steps of a run work with. */
export interface Engine {
  readonly store: Store;
  readonly threads: WorkThreads;
  readonly watch: RunWatch;
  /** Names this process among all workers. */
  readonly worker: string;
  /** How long something outside that does not answer is waited for. */
  readonly patience_ms: number;
  readonly log: RunLog;
}

/** The run's rows, for repositories. */
export const workOf = ({ store }: Engine, { tenant_id, run_id }: RunRef) => ({
  database: store.database,
  tenant_id,
  run_id,
});
