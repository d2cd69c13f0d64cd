import type { WorkerArguments } from '#apps/cli';
import { AssayError } from '#core';
import { readConfig } from './config.ts';
import { createLog, openInstallation } from './open-installation.ts';
import { startWork, stopWork } from './start-work.ts';

/** Starts `assay worker`. Throws `usage` without a database server, since the embedded database cannot be shared. */
export async function startWorker(args: WorkerArguments): Promise<{ stop(): Promise<void> }> {
  const config = readConfig(process.env, args);
  if (config.database_url === null) {
    throw new AssayError(
      'usage',
      'a worker needs the PostgreSQL database of a service, and ASSAY_DATABASE_URL is not set',
      {
        advice:
          'set ASSAY_DATABASE_URL to the PostgreSQL database of the service; without one, `assay serve` processes runs itself',
      },
    );
  }
  const log = createLog(config);
  const installation = await openInstallation(config, { log });
  try {
    const engine = await startWork(installation, log, config.worker_lanes);
    return {
      stop: async () => {
        await stopWork(installation, engine);
        await installation.close();
      },
    };
  } catch (thrown) {
    await installation.close();
    throw thrown;
  }
}
