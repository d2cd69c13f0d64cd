import type { DatabaseFiles, SeenBytes } from '@assay/sqlite-reader';
import {
  IncrementalHash,
  inflateFile,
  openWithNamedErrors,
  type ReadableFile,
  type SourceTree,
} from '#io/sources';
import { isZstd } from '../shared/messages/decoders/message-compression.ts';

/** An open file of the bag, with its size in bytes. */
interface OpenFile {
  readonly file: ReadableFile;
  readonly bytes: number;
}

/** A database with its write-ahead log and journal. */
interface OpenFiles extends DatabaseFiles {
  readonly main: OpenFile;
  readonly wal: OpenFile | null;
  readonly journal: OpenFile | null;
}

/** Names of the files that SQLite keeps beside an open database. */
const companions = /-(wal|shm|journal)$/;

/** True for the path of a write-ahead log, shared memory or journal file of SQLite. */
export function isCompanion(path: string): boolean {
  return companions.test(path);
}

/** Returns the paths of the existing companion files of a database. */
export function companionsOf(tree: SourceTree, path: string): string[] {
  return ['-wal', '-shm', '-journal'].map((suffix) => `${path}${suffix}`).filter((name) => tree.has(name));
}

/** The open files of one bag file: the database, decompressed if the whole file is zstd, and its companions. */
export class BagFiles implements AsyncDisposable {
  readonly files: OpenFiles;
  /**
   * SHA-256 of the stored database, or the hasher that computes it while the database is read; null if no hash is
   * requested.
   */
  readonly #hash: string | IncrementalHash | null;

  private constructor(files: OpenFiles, hash: string | IncrementalHash | null) {
    this.files = files;
    this.#hash = hash;
  }

  /**
   * Opens the database at `path` with its companions, decompressing it to a temporary file if it is zstd as a whole.
   * `hashes`: compute the SHA-256 of the database.
   */
  static async open(tree: SourceTree, path: string, hashes: boolean): Promise<BagFiles> {
    if (isZstd(await tree.head(path, 4))) {
      const { file, bytes, sha256 } = await inflateFile(tree, path, hashes);
      return new BagFiles({ path, main: { file, bytes }, wal: null, journal: null }, sha256);
    }
    const opened: ReadableFile[] = [];
    const sized = async (name: string): Promise<OpenFile | null> => {
      const entry = tree.entry(name);
      if (entry === undefined) return null;
      const file = await openWithNamedErrors(tree, name);
      opened.push(file);
      return { file, bytes: entry.bytes };
    };
    try {
      const wal = await sized(`${path}-wal`);
      const journal = await sized(`${path}-journal`);
      const main = {
        file: await openWithNamedErrors(tree, path),
        bytes: tree.entry(path)?.bytes ?? 0,
      };
      return new BagFiles({ path, main, wal, journal }, hashes ? new IncrementalHash() : null);
    } catch (thrown) {
      for (const file of opened) await file.close();
      throw thrown;
    }
  }

  /** Callback for every piece read of the database; null if no hash is computed. */
  get seen(): SeenBytes | null {
    const hash = this.#hash;
    return hash instanceof IncrementalHash ? (bytes, position) => hash.update(bytes, position) : null;
  }

  /** Returns the SHA-256 of the database as stored; null if no hash is requested. */
  async sha256(): Promise<string | null> {
    const { file, bytes } = this.files.main;
    return this.#hash instanceof IncrementalHash ? this.#hash.digest(file, bytes) : this.#hash;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { main, wal, journal } = this.files;
    for (const { file } of [main, wal, journal].filter((one) => one !== null)) await file.close();
  }
}
