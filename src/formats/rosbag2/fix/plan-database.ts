import { join } from 'node:path';
import { AssayError } from '#core';
import type { FileRepair, PlannedFile, Unfixed } from '../../shared/fix/fix.ts';
import { exists } from '../../shared/fix/journal/files.ts';
import type { BagFile } from './bag-file.ts';
import { countDatabase } from './count-database.ts';
import { companionSuffixes, damageOf, withDatabase } from './database-files.ts';
import { writeDatabase } from './write-database.ts';

export interface DatabasePlan {
  readonly repair: FileRepair;
  /** What the file holds, or will hold; null where it is no bag or nothing of it can be read. */
  readonly facts: BagFile | null;
}

/** A database that SQLite cannot read as a whole is written again, with every row that can be read; null: it is no bag. */
export async function planDatabase(root: string, path: string): Promise<DatabasePlan | null> {
  try {
    return await withDatabase(root, path, async (database) => {
      if (database.typeOf('topics') === null && damageOf(database).length === 0) return null;
      const facts = await countDatabase(database, path);
      const damage = damageOf(database);
      const changes = damage.map(({ code, message }) => ({
        ...{ fix: 'bag-database', answers: [code], path, what: 'messages', episode: null },
        ...{ before: message, after: `${facts.messages} messages that are whole` },
      }));
      if (damage.length === 0) return { repair: { changes, unfixed: [], files: [] }, facts };
      if (facts.messages === 0) return { repair: lost(path, damage[0].message), facts: null };
      return { repair: { changes, unfixed: [], files: await rewritten(root, path) }, facts };
    });
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { repair: lost(path, thrown.message), facts: null };
  }
}

/** The new database holds what the log or journal beside the old one had to say. */
async function rewritten(root: string, path: string): Promise<readonly PlannedFile[]> {
  const files: PlannedFile[] = [
    { does: 'write', path, write: (target) => writeDatabase(root, path, target) },
  ];
  for (const suffix of companionSuffixes)
    if (await exists(join(root, `${path}${suffix}`)))
      files.push({ does: 'remove', path: `${path}${suffix}` });
  return files;
}

function lost(path: string, why: string): FileRepair {
  const unfixed: Unfixed = {
    ...{ code: 'file_unreadable', path, episode: null },
    message: `no message of ${path} can be read: ${why}`,
    advice: 'Fetch the file again from where it was recorded, or record again.',
  };
  return { changes: [], unfixed: [unfixed], files: [] };
}
