/** The door for commands that sign and open no database. */
export { keyInFile, localKey } from './local-keys.ts';
export type { SigningKey } from './signing-key.ts';
