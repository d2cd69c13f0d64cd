import { basename, resolve } from 'node:path';
import type { Recordings } from '../../recordings/open-recordings.ts';

/** The name of the folder or of the dataset. */
export function titleOf(path: Recordings): string {
  if (typeof path === 'string') return basename(resolve(path));
  if (path.kind === 'web') return basename(path.label.replace(/@[0-9a-f]+$/, ''));
  return basename(path.kind === 'folder' ? path.path : path.prefix);
}
