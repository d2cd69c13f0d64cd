import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { JobLayerId } from '#core/api';
import { ModelHosts } from '#labels/models';
import type { BlobsOptions, Store } from '#store';
import type { Engine, WorkLog } from './engine.ts';
import { WorkThreads } from './threads/work-threads.ts';
import { WorkWatch } from './work-watch.ts';

export interface EngineOptions {
  /** Where `store.blobs` lies, for worker threads to open it themselves. */
  readonly blobs: BlobsOptions;
  /** Names this process among all that share the database; the same after a restart. */
  readonly worker: string;
  /** Absent: one a processor. */
  readonly threads?: number;
  /** The only annotation layers to do, and no runs. Absent: everything. */
  readonly lanes?: readonly JobLayerId[];
  /** How long a blob store or database that does not answer is waited for before the run fails. */
  readonly patience_ms?: number;
  /** Hears of what runs wait for and why they fail. Absent: nobody does. */
  readonly log?: WorkLog;
}

const patience_ms = 10 * 60_000;

/** What a process works on runs with; takes no work yet. */
export function createEngine(store: Store, options: EngineOptions): Engine {
  const scratch = join(store.data_folder, 'scratch', 'runs');
  // What a process of this folder left when it was killed.
  rmSync(scratch, { recursive: true, force: true });
  const waits_ms = options.patience_ms ?? patience_ms;
  const threads = options.threads ?? availableParallelism();
  const { onnx_provider = 'auto' } = store;
  const models = new ModelHosts(threads, { onnx_provider });
  const start = { blobs: options.blobs, patience_ms: waits_ms, model_sockets: models.sockets };
  const engine: Engine = {
    store,
    threads: new WorkThreads({ threads, scratch, ...start }),
    models,
    watch: new WorkWatch(() => engine),
    worker: options.worker,
    patience_ms: waits_ms,
    log: options.log ?? { warn: () => {} },
  };
  return engine;
}
