import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * Names a process among all that share the database. Whoever holds a data folder keeps the name it wrote there, so that
 * started again after a crash it takes up its own work at once; others have a name for once.
 */
export function workerName(data_folder: string, holds_folder: boolean): string {
  const fresh = `${hostname()}-${randomBytes(6).toString('hex')}`;
  if (!holds_folder) return fresh;
  const file = join(data_folder, 'worker-name');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    writeFileSync(`${file}.new`, fresh);
    renameSync(`${file}.new`, file);
    return fresh;
  }
}
