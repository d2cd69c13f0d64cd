import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Launcher } from '#apps/cli';

/**
 * Returns the folder of the measurement cache: `ASSAY_CACHE`, or `assay` in the user's cache folder; `null` if
 * ASSAY_CACHE is `none`.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv): string | null {
  const { ASSAY_CACHE: own, XDG_CACHE_HOME: user } = environment;
  if (own === 'none') return null;
  if (own !== undefined && own !== '') return resolve(own);
  return join(user?.startsWith('/') === true ? user : join(homedir(), '.cache'), 'assay');
}

/** Returns the folder of the user's signing key: `assay/keys` in `XDG_DATA_HOME`, or in `~/.local/share`. */
function keyFolder({ XDG_DATA_HOME: user }: NodeJS.ProcessEnv): string {
  return join(user?.startsWith('/') === true ? user : join(homedir(), '.local/share'), 'assay/keys');
}

/** Launcher of this program, which loads parts of the service on demand. */
export const launcher: Launcher = {
  startService: async (args) => (await import('./start-service.ts')).startService(args),
  startWorker: async (args) => (await import('./start-worker.ts')).startWorker(args),
  openStore: async (args) => (await import('./open-installation.ts')).openForCommand(args),
  modelPlace: async (args) => (await import('./model-place.ts')).modelPlace(args),
  cacheFolder: () => cacheFolder(process.env),
  keyFolder: () => keyFolder(process.env),
  findService: async (args) => (await import('./service-file.ts')).findService(args),
  webSettings: async () => (await import('./web-settings.ts')).webSettings(),
};
