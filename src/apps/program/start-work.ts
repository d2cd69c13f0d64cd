import type { JobLayerId } from '#core/api';
import { startWorkEngine, type WorkEngine } from '#engine';
import type { Installation, Log } from './open-installation.ts';

/** Starts processing the queue: everything, or only annotation in the given layers. */
export function startWork(
  installation: Installation,
  log: Log,
  lanes: readonly JobLayerId[] | null = null,
): Promise<WorkEngine> {
  const { config, worker } = installation;
  return startWorkEngine(installation, {
    blobs: config.blobs,
    ...{ worker, log },
    ...(lanes === null ? {} : { lanes }),
    ...(config.workers === null ? {} : { threads: config.workers }),
  });
}

/**
 * Stops taking work, waits up to `stop_grace_ms` for current work, returns the rest to the queue and ends the threads.
 */
export async function stopWork({ queue, config }: Installation, engine: WorkEngine | null): Promise<void> {
  await queue.stop(config.stop_grace_ms);
  await engine?.close();
}
