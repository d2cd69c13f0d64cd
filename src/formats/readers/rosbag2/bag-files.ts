import type { ReadableFile } from '../../bytes/byte-store.ts';
import { HashAsRead } from '../../bytes/hash-as-read.ts';
import { inflateFile } from '../../bytes/inflated-file.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { isZstd } from '../../messages/message-compression.ts';
import type { DatabaseFiles, SizedFile } from '../../sqlite/database.ts';

/** What SQLite keeps beside a database that is being written to. */
const companions = /-(wal|shm|journal)$/;

export function isCompanion(path: string): boolean {
  return companions.test(path);
}

/** The companions of a database that are there. */
export function companionsOf(tree: SourceTree, path: string): string[] {
  return ['-wal', '-shm', '-journal'].map((suffix) => `${path}${suffix}`).filter((name) => tree.has(name));
}

/** The open files of one bag file: the database, inflated where it is compressed as a whole, and its companions. */
export class BagFiles implements AsyncDisposable {
  readonly files: DatabaseFiles;
  readonly hash: HashAsRead | null;
  readonly #sha256: string | null;

  private constructor(files: DatabaseFiles, sha256: string | null) {
    this.files = files;
    this.#sha256 = sha256;
    this.hash = sha256 === null ? new HashAsRead() : null;
  }

  static async open(tree: SourceTree, path: string): Promise<BagFiles> {
    if (isZstd(await tree.head(path, 4))) {
      const { file, bytes, sha256 } = await inflateFile(tree, path);
      return new BagFiles({ path, main: { file, bytes }, wal: null, journal: null }, sha256);
    }
    const opened: ReadableFile[] = [];
    const sized = async (name: string): Promise<SizedFile | null> => {
      const entry = tree.entry(name);
      if (entry === undefined) return null;
      const file = await tree.openFile(name);
      opened.push(file);
      return { file, bytes: entry.bytes };
    };
    try {
      const wal = await sized(`${path}-wal`);
      const journal = await sized(`${path}-journal`);
      const main = { file: await tree.openFile(path), bytes: tree.entry(path)?.bytes ?? 0 };
      return new BagFiles({ path, main, wal, journal }, null);
    } catch (thrown) {
      for (const file of opened) await file.close();
      throw thrown;
    }
  }

  /** SHA-256 of the database as it is stored. */
  async sha256(): Promise<string> {
    return this.#sha256 ?? (this.hash as HashAsRead).digest(this.files.main.file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { main, wal, journal } = this.files;
    for (const { file } of [main, wal, journal].filter((one) => one !== null)) await file.close();
  }
}
