import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, if it does not exist; throws system errors.
 *
 * Replaces `mkdir` with `recursive`, which never returns if a parent exists but does not accept folders, as below
 * /proc; used for paths that users may name.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    // Another process may have created it meanwhile.
    if (!existsSync(folder)) throw thrown;
  }
}
