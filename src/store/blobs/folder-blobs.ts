import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AssayError, blobFolderError, systemCode } from '#core';
import { stagingName } from '#io/sources/s3';
import { requireDiskSpace } from '../disk-space.ts';
import {
  type BlobEntry,
  type BlobLocation,
  type Blobs,
  checkBlobKey,
  compareKeys,
  stagingFolder,
} from './blobs.ts';

/**
 * Blob store in a local folder. Files are written in a staging folder, synced and renamed, so that a key exists
 * completely or not at all.
 */
export class FolderBlobs implements Blobs {
  readonly #folder: string;

  /** Creates the folder; if it is missing later, it was lost. Errors are ignored here, `probe` reports them. */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch {}
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(key);
    await this.#withStagingFile(async (temporary) => {
      await writeSynced(temporary, bytes);
      await this.#publish(temporary, path);
    });
  }

  async putFile(key: string, path: string): Promise<void> {
    const target = this.#path(key);
    await this.#withStagingFile(async (temporary) => {
      await using file = await open(path, 'r+');
      await file.sync();
      try {
        await this.#publish(path, target);
      } catch (thrown) {
        if (systemCode(thrown) !== 'EXDEV') throw thrown;
        await copyInto(temporary, file);
        await this.#publish(temporary, target);
        await unlink(path);
      }
    });
  }

  async get(key: string): Promise<Uint8Array> {
    return this.#readBlob(key, async (file) => file.readFile());
  }

  async range(key: string, offset: number, length: number): Promise<Uint8Array> {
    return this.#readBlob(key, async (file) => {
      const bytes = Buffer.allocUnsafe(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    });
  }

  async stream(key: string): Promise<import('node:stream').Readable> {
    const path = this.#path(key);
    const handle = await open(path, 'r').catch((thrown) => this.#rethrow(thrown, key));
    return createReadStream(path, { fd: handle });
  }

  async file(key: string): Promise<{ path: string; done(): Promise<void> }> {
    const path = this.#path(key);
    await stat(path).catch((thrown) => this.#rethrow(thrown, key));
    return { path, done: async () => {} };
  }

  locate(folder: string): BlobLocation {
    return { kind: 'folder', path: this.#path(folder) };
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    const from = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    if (from !== '') checkBlobKey(from.slice(0, -1));
    try {
      yield* this.#listBelow(from, prefix);
    } catch (thrown) {
      throw blobFolderError(thrown, this.#folder);
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    try {
      for (const path of keys.map((key) => this.#path(key))) {
        await rm(path, { force: true });
        await this.#removeEmpty(dirname(path));
      }
    } catch (thrown) {
      throw blobFolderError(thrown, this.#folder);
    }
  }

  async probe(): Promise<void> {
    await this.#withStagingFile(async (temporary) => writeSynced(temporary, Buffer.from('probe')));
    await requireDiskSpace(this.#folder);
  }

  close(): void {}

  #path(key: string): string {
    checkBlobKey(key);
    return join(this.#folder, ...key.split('/'));
  }

  /**
   * Runs `work` with a path in the staging folder and deletes that file afterwards. Errors become
   * `storage_unavailable`.
   */
  async #withStagingFile(work: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = join(this.#folder, stagingFolder, stagingName());
    try {
      await mkdir(dirname(temporary), { recursive: true });
      await work(temporary);
    } catch (thrown) {
      throw blobFolderError(thrown, this.#folder);
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  /** Renames a file into place and syncs its folders. Retries if a concurrent delete removed the folder. */
  async #publish(from: string, to: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const createdFolder = await mkdir(dirname(to), { recursive: true });
      try {
        await rename(from, to);
      } catch (thrown) {
        if (systemCode(thrown) === 'ENOENT' && attempt < 5 && existsSync(from)) continue;
        throw thrown;
      }
      // The name of a new folder is in its parent; sync up to the first folder that existed before.
      for (let at = dirname(to); ; at = dirname(at)) {
        await syncFolder(at);
        if (createdFolder === undefined || at.length < createdFolder.length) return;
      }
    }
  }

  async #readBlob(key: string, read: (file: FileHandle) => Promise<Uint8Array>): Promise<Uint8Array> {
    const path = this.#path(key);
    try {
      await using file = await open(path, 'r');
      return await read(file);
    } catch (thrown) {
      return this.#rethrow(thrown, key);
    }
  }

  #rethrow(thrown: unknown, key: string): never {
    const code = systemCode(thrown);
    const missing = code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
    // If the store folder itself is missing (unmounted, moved), it is unknown whether the key exists.
    throw missing && existsSync(this.#folder)
      ? absentError(key, thrown)
      : blobFolderError(thrown, this.#folder);
  }

  async *#listBelow(folder: string, prefix: string): AsyncGenerator<BlobEntry> {
    const entries = await readdir(join(this.#folder, folder), { withFileTypes: true }).catch((thrown) => {
      if (systemCode(thrown) === 'ENOENT' && existsSync(this.#folder)) return [];
      throw thrown;
    });
    const keys = entries
      .filter((entry) => folder !== '' || entry.name !== stagingFolder)
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort(compareKeys);
    for (const key of keys) {
      if (!key.startsWith(prefix) && !prefix.startsWith(key)) continue;
      if (key.endsWith('/')) {
        yield* this.#listBelow(key, prefix);
        continue;
      }
      const info = await stat(join(this.#folder, key)).catch(() => null);
      if (info?.isFile()) yield { key, bytes: info.size, written_at: info.mtime };
    }
  }

  async #removeEmpty(folder: string): Promise<void> {
    for (let at = folder; at.startsWith(this.#folder + sep); at = dirname(at)) {
      if (
        !(await rmdir(at).then(
          () => true,
          () => false,
        ))
      )
        return;
    }
  }
}

function absentError(key: string, cause?: unknown): AssayError {
  return new AssayError('not_found', `blob not found: ${key}`, { cause });
}

/** Writes a new file that survives a power failure once this returns. */
async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

/** Copies an open file to a new, synced file; for files on another disk. */
async function copyInto(path: string, from: FileHandle): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  const block = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0; ; ) {
    const { bytesRead } = await from.read(block, 0, block.length, at);
    if (bytesRead === 0) break;
    await file.writeFile(block.subarray(0, bytesRead));
    at += bytesRead;
  }
  await file.sync();
}

/** Syncs the names in a folder. Windows does this itself and cannot open folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}
