import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { AssayError, messageOf } from '#core';
import { makeFolder } from '#io/sources';
import type { DatasetRef } from '../tasks.ts';

/** Writes receipt files atomically. Throws `output_unwritable`. */
export class ReceiptFiles {
  readonly #made = new Set<string>();

  /** Writes a receipt and returns its path relative to the output folder, or null if none are written. */
  write(dataset: DatasetRef, index: number, id: string, json: string): string | null {
    if (dataset.receipts_folder === null) return null;
    const name = receiptName(id, index, dataset.many);
    const path = join(dataset.receipts_folder, name);
    writeAtomically(path, json, this.#made);
    return `${dataset.receipts_name}/${name}`;
  }
}

/** Returns the file name of a receipt, in a numbered subfolder if the dataset has many episodes. */
function receiptName(id: string, index: number, many: boolean): string {
  const name = episodeFileName(id, index);
  return `${many ? `${String(Math.floor(index / 1000)).padStart(3, '0')}/` : ''}${name}.json`;
}

/**
 * Returns a file name that is valid on all systems: the episode's id if possible, else its index and a sanitised id.
 */
export function episodeFileName(id: string, index: number): string {
  const safe = id.replace(/[^\w.-]+/g, '_').slice(0, 120);
  return safe === id && !id.startsWith('.') ? id : `${String(index).padStart(6, '0')}_${safe}`;
}

/**
 * Writes a file via a temporary name and creates its folder if it is missing; `made` caches the folders that exist.
 * @throws `output_unwritable`
 */
export function writeAtomically(path: string, content: string | Uint8Array, made = new Set<string>()): void {
  const folder = dirname(path);
  const temporary = join(folder, `.writing-${process.pid}-${threadId}`);
  try {
    if (!made.has(folder)) makeFolder(folder);
    made.add(folder);
    const fd = openSync(temporary, 'w');
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw unwritableError(thrown, path);
  }
}

/** Converts a file system error to `output_unwritable`; AssayErrors are returned unchanged. */
export function unwritableError(thrown: unknown, path: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const full =
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT');
  return new AssayError('output_unwritable', messageOf(thrown), {
    path,
    advice: full
      ? 'the disk is full: free some space or choose another folder, then run again; receipts already written are complete'
      : 'choose a folder with write permission',
    cause: thrown,
  });
}
