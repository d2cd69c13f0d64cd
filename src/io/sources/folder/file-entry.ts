import { accessSync, constants, type Stats } from 'node:fs';
import { systemCode } from '#core';

export interface FileEntry {
  /** Relative to the tree's root, `/`-separated. */
  readonly path: string;
  readonly bytes: number;
  /** This user may not read it; absent: nobody said so. */
  readonly closed?: true;
}

const readByAll = 0o444;

/** A file as it is listed. The system is asked only about those that not everybody may read. */
export function entryOf(path: string, absolute: string, { size, mode }: Stats): FileEntry {
  const open = (mode & readByAll) === readByAll || mayRead(absolute);
  return open ? { path, bytes: size } : { path, bytes: size, closed: true };
}

/** False for want of permission alone: what is not there is for others to tell. */
export function mayRead(absolute: string): boolean {
  try {
    accessSync(absolute, constants.R_OK);
    return true;
  } catch (thrown) {
    return systemCode(thrown) !== 'EACCES';
  }
}
