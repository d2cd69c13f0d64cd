import type { DatabaseFiles, SeenBytes } from '@assay/sqlite-reader';
import {
  HashAsRead,
  inflateFile,
  openWithFaultsNamed,
  type ReadableFile,
  type SourceTree,
} from '#io/sources';
import { isZstd } from '../../shared/messages/decoders/message-compression.ts';

/** A file of the bag, open until the bag is closed. */
interface OpenFile {
  readonly file: ReadableFile;
  readonly bytes: number;
}

/** A database and what lies beside it. */
interface OpenFiles extends DatabaseFiles {
  readonly main: OpenFile;
  readonly wal: OpenFile | null;
  readonly journal: OpenFile | null;
}

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
  readonly files: OpenFiles;
  /** The SHA-256 of the stored database, or what takes it while the database is read; null: nobody wants it. */
  readonly #hash: string | HashAsRead | null;

  private constructor(files: OpenFiles, hash: string | HashAsRead | null) {
    this.files = files;
    this.#hash = hash;
  }

  static async open(tree: SourceTree, path: string, hashes: boolean): Promise<BagFiles> {
    if (isZstd(await tree.head(path, 4))) {
      const { file, bytes, sha256 } = await inflateFile(tree, path, hashes);
      return new BagFiles({ path, main: { file, bytes }, wal: null, journal: null }, sha256);
    }
    const opened: ReadableFile[] = [];
    const sized = async (name: string): Promise<OpenFile | null> => {
      const entry = tree.entry(name);
      if (entry === undefined) return null;
      const file = await openWithFaultsNamed(tree, name);
      opened.push(file);
      return { file, bytes: entry.bytes };
    };
    try {
      const wal = await sized(`${path}-wal`);
      const journal = await sized(`${path}-journal`);
      const main = {
        file: await openWithFaultsNamed(tree, path),
        bytes: tree.entry(path)?.bytes ?? 0,
      };
      return new BagFiles({ path, main, wal, journal }, hashes ? new HashAsRead() : null);
    } catch (thrown) {
      for (const file of opened) await file.close();
      throw thrown;
    }
  }

  /** To be told of every piece read of the database; null: nobody needs to know. */
  get seen(): SeenBytes | null {
    const hash = this.#hash;
    return hash instanceof HashAsRead ? (bytes, position) => hash.saw(bytes, position) : null;
  }

  /** SHA-256 of the database as it is stored; null where nobody wanted it. */
  async sha256(): Promise<string | null> {
    const { file, bytes } = this.files.main;
    return this.#hash instanceof HashAsRead ? this.#hash.digest(file, bytes) : this.#hash;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { main, wal, journal } = this.files;
    for (const { file } of [main, wal, journal].filter((one) => one !== null)) await file.close();
  }
}
