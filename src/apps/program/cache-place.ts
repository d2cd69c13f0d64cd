import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Folder in which commands keep what they measured, by the environment; null where nothing is to be kept. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string | null {
  const { ASSAY_CACHE: own, XDG_CACHE_HOME: user } = environment;
  if (own === 'none') return null;
  if (own !== undefined && own !== '') return resolve(own);
  return join(user?.startsWith('/') === true ? user : join(homedir(), '.cache'), 'assay');
}
