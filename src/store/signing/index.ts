/** Public API for commands that sign without opening a database. */

export { localKey, readKeyFile, type SigningKey } from './local-keys.ts';
