import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Launcher } from '#apps/cli';

/** Folder in which commands keep what they measured, by the environment; null where nothing is to be kept. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string | null {
  const { ASSAY_CACHE: own, XDG_CACHE_HOME: user } = environment;
  if (own === 'none') return null;
  if (own !== undefined && own !== '') return resolve(own);
  return join(user?.startsWith('/') === true ? user : join(homedir(), '.cache'), 'assay');
}

/** Folder of the key that a user's commands sign with: `assay/keys` in `XDG_DATA_HOME`, or in `~/.local/share`. */
function keyFolder({ XDG_DATA_HOME: user }: NodeJS.ProcessEnv): string {
  return join(user?.startsWith('/') === true ? user : join(homedir(), '.local/share'), 'assay/keys');
}

/** Loads the parts of the service when a command asks for them. */
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
