import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { FromWorker } from './messages.ts';

/**
 * Ends a thread that nobody gave work, once it has loaded its program: ending it while DuckDB's bindings load aborts
 * the process.
 */
export async function endUnused(worker: Worker): Promise<void> {
  if (worker.threadId < 0) return;
  worker.ref();
  worker.on('message', (message: FromWorker<never, never>) => {
    if (message.type === 'closed') void worker.terminate();
  });
  const exited = once(worker, 'exit');
  worker.postMessage({ type: 'close' });
  await exited;
}
