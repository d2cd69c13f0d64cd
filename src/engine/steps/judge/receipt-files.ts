import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { AssayError, messageOf } from '#core';
import { makeFolder } from '#io/sources';
import type { DatasetRef } from '../tasks.ts';

/**
 * Writes receipts under temporary names that are renamed when whole, so that a receipt is there complete or not at
 * all. Throws `output_unwritable`.
 */
export class ReceiptFiles {
  readonly #made = new Set<string>();

  /** Writes one; gives its path relative to the output folder. */
  write(dataset: DatasetRef, index: number, id: string, json: string): string | null {
    if (dataset.receipts_folder === null) return null;
    const name = receiptName(id, index, dataset.many);
    const path = join(dataset.receipts_folder, name);
    writeWhole(path, json, this.#made);
    return `${dataset.receipts_name}/${name}`;
  }
}

/** File name of a receipt: the episode's id where a file may be called so, its index added where that changed it. */
function receiptName(id: string, index: number, many: boolean): string {
  const name = episodeFileName(id, index);
  return `${many ? `${String(Math.floor(index / 1000)).padStart(3, '0')}/` : ''}${name}.json`;
}

/** What a file or folder of an episode may be called on any machine. */
export function episodeFileName(id: string, index: number): string {
  const safe = id.replace(/[^\w.-]+/g, '_').slice(0, 120);
  return safe === id && !id.startsWith('.') ? id : `${String(index).padStart(6, '0')}_${safe}`;
}

/** Writes a file whole or not at all. */
export function writeWhole(path: string, content: string | Uint8Array, made = new Set<string>()): void {
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
    throw unwritable(thrown, path);
  }
}

export function unwritable(thrown: unknown, path: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const full =
    thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT');
  return new AssayError('output_unwritable', messageOf(thrown), {
    path,
    advice: full
      ? 'the disk is full: make room or choose another folder, then run again; receipts already there are whole'
      : 'choose a folder that you may write to',
    cause: thrown,
  });
}
