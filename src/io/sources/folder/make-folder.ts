import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A folder with those above it. Node's own way (`recursive`) never returns where a parent is there and takes no folders,
 * as below /proc: so is made whatever a person may name. Throws as the system does.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    // Another process may have made it.
    if (!existsSync(folder)) throw thrown;
  }
}
