import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AssayError, messageOf } from '#core';
import { makeFolder } from '#io/sources';

/** A held folder lock. */
export interface FolderLock {
  release(): void;
}

/**
 * Locks a data folder for this process, creating it if missing, and returns the lock. The operating system holds the lock
 * (through SQLite, which can lock files on every platform) and releases it when the process ends in any way. Throws
 * `folder_locked` with the holder, and `usage` if the folder cannot be used.
 */
export function lockFolder(folder: string): FolderLock {
  const holderFile = join(folder, 'lock-holder');
  const lock = openLock(folder);
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    lock.close();
    throw lockedError(folder, readHolder(holderFile), thrown);
  }
  writeFileSync(holderFile, `process ${process.pid} since ${new Date().toISOString()}`);
  return { release: () => lock.close() };
}

function openLock(folder: string): DatabaseSync {
  try {
    makeFolder(folder, 0o700);
    return new DatabaseSync(join(folder, 'lock'));
  } catch (thrown) {
    throw new AssayError('usage', `cannot use ${folder} as the data folder: ${messageOf(thrown)}`, {
      path: folder,
      advice: 'choose a folder that exists or can be created and that you can write to',
      cause: thrown,
    });
  }
}

function lockedError(folder: string, holder: string, cause: unknown): AssayError {
  return new AssayError('folder_locked', `the data folder ${folder} is in use by ${holder}`, {
    path: folder,
    advice: 'stop that process, choose another data folder, or share one PostgreSQL with ASSAY_DATABASE_URL',
    cause,
  });
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 200);
  } catch {
    return 'another process';
  }
}
