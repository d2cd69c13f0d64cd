import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AssayError, messageOf } from '#core';
import { makeFolder } from '#io/sources';

export interface FolderLock {
  release(): void;
}

/**
 * Takes a data folder for this process, made when absent. The operating system holds the lock (through SQLite, which
 * knows how to lock a file on every platform) and lets go of it when the process dies, however it dies. Throws
 * `folder_locked`, saying who has it, and `usage` for what can be no folder.
 */
export function lockFolder(folder: string): FolderLock {
  const holderFile = join(folder, 'lock-holder');
  const lock = openLock(folder);
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    lock.close();
    throw refusal(folder, holderOf(holderFile), thrown);
  }
  writeFileSync(holderFile, `process ${process.pid} since ${new Date().toISOString()}`);
  return { release: () => lock.close() };
}

function openLock(folder: string): DatabaseSync {
  try {
    makeFolder(folder, 0o700);
    return new DatabaseSync(join(folder, 'lock'));
  } catch (thrown) {
    throw new AssayError('usage', `${folder} cannot be the data folder: ${messageOf(thrown)}`, {
      path: folder,
      advice: 'choose a folder that is there or can be made, and that you may write to',
      cause: thrown,
    });
  }
}

function refusal(folder: string, holder: string, cause: unknown): AssayError {
  return new AssayError('folder_locked', `the data folder ${folder} is in use by ${holder}`, {
    path: folder,
    advice: 'stop that process, choose another data folder, or share one PostgreSQL with ASSAY_DATABASE_URL',
    cause,
  });
}

function holderOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 200);
  } catch {
    return 'another process';
  }
}
