import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder of the key that a user's commands sign with: `assay/keys` in `XDG_DATA_HOME`, or in `~/.local/share`. */
export function keyFolder({ XDG_DATA_HOME: user }: NodeJS.ProcessEnv): string {
  return join(user?.startsWith('/') === true ? user : join(homedir(), '.local/share'), 'assay/keys');
}
