import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError } from '#core';
import {
  finishApply,
  finishUndo,
  type Journal,
  journalFolders,
  readJournal,
  unbegun,
  undo,
} from './apply.ts';
import { journalFolder } from './files.ts';

/** What the last fix had left half done. */
export type Recovered = 'nothing' | 'not_begun' | 'apply_finished' | 'undo_finished';

/** Ends what a killed process began: what had only been prepared is thrown away, everything else is finished. */
export async function recover(root: string): Promise<Recovered> {
  let recovered: Recovered = 'nothing';
  for (const folder of await journalFolders(root)) {
    if (folder.endsWith(unbegun)) {
      await rm(folder, { recursive: true, force: true });
      recovered = 'not_begun';
      continue;
    }
    const journal = await readJournal(folder);
    if (journal?.manifest.state === 'applying') {
      await finishApply(root, journal);
      recovered = 'apply_finished';
    } else if (journal?.manifest.state === 'undoing') {
      await finishUndo(root, journal);
      recovered = 'undo_finished';
    }
  }
  return recovered;
}

/** Undoes the last apply. Throws `not_found` where there is none. */
export async function undoLast(root: string): Promise<Journal> {
  const folders = await journalFolders(root);
  const last = folders.at(-1);
  const journal = last === undefined ? null : await readJournal(last);
  if (journal === null)
    throw new AssayError('not_found', `assay fix has changed nothing in ${root}`, {
      path: root,
      advice: 'there is nothing to undo',
    });
  await undo(root, journal);
  return journal;
}

/** Takes the journals' folder away where nothing is in it. */
export async function tidy(root: string): Promise<void> {
  await rmdir(join(root, journalFolder)).catch(() => undefined);
}
