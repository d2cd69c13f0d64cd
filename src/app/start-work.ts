import { type RunEngine, startRunEngine } from '#services';
import type { Log } from './log.ts';
import type { Installation } from './open-installation.ts';

/** Begins to take work of runs from the queue. */
export function startWork(installation: Installation, log: Log): Promise<RunEngine> {
  const { config, worker } = installation;
  return startRunEngine(installation, {
    blobs: config.blobs,
    ...{ worker, log },
    ...(config.workers === null ? {} : { threads: config.workers }),
  });
}

/** Units under way may finish for a while, the rest is given back; then the threads end. */
export async function stopWork({ queue, config }: Installation, engine: RunEngine | null): Promise<void> {
  await queue.stop(config.stop_grace_ms);
  await engine?.close();
}
