/** Public API for commands that sign without opening a database. */

export type { SigningKey } from './local-keys.ts';
export { localKey, readKeyFile } from './local-keys.ts';
