import type { Launcher } from '#apps/cli';
import { cacheFolder } from './cache-place.ts';
import { keyFolder } from './key-place.ts';

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
