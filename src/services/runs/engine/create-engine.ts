import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BlobsOptions, Store } from '#store';
import { WorkThreads } from '../threads/work-threads.ts';
import type { Engine, RunLog } from './engine.ts';
import { tellUnderWay } from './progress.ts';
import { watchRuns } from './run-watch.ts';

export interface RunEngineOptions {
  /** Where `store.blobs` lies, for worker threads to open it themselves. */
  readonly blobs: BlobsOptions;
  /** Names this process among all that share the database; the same after a restart. */
  readonly worker: string;
  /** Absent: one a processor. */
  readonly threads?: number;
  /** How long a blob store or database that does not answer is waited for before the run fails. */
  readonly patience_ms?: number;
  /** Hears of what runs wait for and why they fail. Absent: nobody does. */
  readonly log?: RunLog;
}

const patience_ms = 10 * 60_000;

/** What a process works on runs with; takes no work yet. */
export function createEngine(store: Store, options: RunEngineOptions): Engine {
  const scratch = join(store.data_folder, 'scratch', 'runs');
  // What a process of this folder left when it was killed.
  rmSync(scratch, { recursive: true, force: true });
  const waits_ms = options.patience_ms ?? patience_ms;
  const threads = options.threads ?? availableParallelism();
  const engine: Engine = {
    store,
    threads: new WorkThreads({ threads, blobs: options.blobs, scratch, patience_ms: waits_ms }),
    watch: watchRuns(store.database, (ref) => tellUnderWay(engine, ref)),
    worker: options.worker,
    patience_ms: waits_ms,
    log: options.log ?? { warn: () => {} },
  };
  return engine;
}
