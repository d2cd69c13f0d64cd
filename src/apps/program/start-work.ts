import type { JobLayerId } from '#core/api';
import { startWorkEngine, type WorkEngine } from '#engine';
import type { Installation, Log } from './open-installation.ts';

/** Begins to take work from the queue: all of it, or what there is to annotate in some layers. */
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

/** Units under way may finish for a while, the rest is given back; then the threads end. */
export async function stopWork({ queue, config }: Installation, engine: WorkEngine | null): Promise<void> {
  await queue.stop(config.stop_grace_ms);
  await engine?.close();
}
