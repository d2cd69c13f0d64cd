import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A database as it lies on the disk, with what SQLite keeps beside it while it is open. */
export interface StoredDatabase {
  readonly main: Uint8Array;
  readonly wal: Uint8Array;
  readonly journal: Uint8Array;
}

/**
 * What SQLite itself leaves on the disk: `fill` writes, and the files are taken either after closing or, `'open'`, in
 * the middle of it, as after a crash.
 */
export function storedDatabase(
  fill: (database: DatabaseSync) => void,
  when: 'closed' | 'open' = 'closed',
): StoredDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sqlite-'));
  try {
    const path = join(folder, 'x.db');
    const database = new DatabaseSync(path);
    fill(database);
    if (when === 'closed') database.close();
    const stored = { main: bytesOf(path), wal: bytesOf(`${path}-wal`), journal: bytesOf(`${path}-journal`) };
    if (when === 'open') database.close();
    return stored;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bytesOf(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    return new Uint8Array(0);
  }
}
