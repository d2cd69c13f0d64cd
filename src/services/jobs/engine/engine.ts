import type { Store } from '#store';
import type { WorkWatch } from '../../runs/engine/work-watch.ts';
import type { WorkThreads } from '../../runs/threads/work-threads.ts';
import type { JobRef } from '../job-ref.ts';

/** What jobs are worked on with. */
export interface JobEngine {
  readonly store: Store;
  readonly threads: WorkThreads;
  readonly watch: WorkWatch<JobRef>;
  /** Names this process among all workers. */
  readonly worker: string;
  /** How long something outside that does not answer is waited for. */
  readonly patience_ms: number;
}
