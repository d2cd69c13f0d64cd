import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AssayError, folderFault, systemCode } from '#core';
import { stagingName } from '#io/sources/s3';
import { demandRoom } from '../room.ts';
import { checkBlobKey, compareKeys, stagingFolder } from './blob-key.ts';
import type { BlobEntry, BlobPlace, Blobs } from './blobs.ts';

/** Blobs as files: written in a staging folder, synced, renamed; so a name is there whole or not at all. */
export class FolderBlobs implements Blobs {
  readonly #folder: string;

  /** Makes the folder: from then on its absence means that it was lost. Whether it can be used, `probe` tells. */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch {}
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(key);
    await this.#writing(async (temporary) => {
      await writeSynced(temporary, bytes);
      await this.#publish(temporary, path);
    });
  }

  async putFile(key: string, path: string): Promise<void> {
    const target = this.#path(key);
    await this.#writing(async (temporary) => {
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
    return this.#reading(key, async (file) => file.readFile());
  }

  async range(key: string, offset: number, length: number): Promise<Uint8Array> {
    return this.#reading(key, async (file) => {
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

  locate(folder: string): BlobPlace {
    return { kind: 'folder', path: this.#path(folder) };
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    const from = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    if (from !== '') checkBlobKey(from.slice(0, -1));
    try {
      yield* this.#below(from, prefix);
    } catch (thrown) {
      throw folderFault(thrown, this.#folder);
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    try {
      for (const path of keys.map((key) => this.#path(key))) {
        await rm(path, { force: true });
        await this.#removeEmpty(dirname(path));
      }
    } catch (thrown) {
      throw folderFault(thrown, this.#folder);
    }
  }

  async probe(): Promise<void> {
    await this.#writing(async (temporary) => writeSynced(temporary, Buffer.from('probe')));
    await demandRoom(this.#folder);
  }

  close(): void {}

  #path(key: string): string {
    checkBlobKey(key);
    return join(this.#folder, ...key.split('/'));
  }

  /** Gives `work` a name in the staging folder; nothing is left there, whatever happens. */
  async #writing(work: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = join(this.#folder, stagingFolder, stagingName());
    try {
      await mkdir(dirname(temporary), { recursive: true });
      await work(temporary);
    } catch (thrown) {
      throw folderFault(thrown, this.#folder);
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  /** Renames into place and makes the name last. A folder that a delete just took away is made again. */
  async #publish(from: string, to: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const made = await mkdir(dirname(to), { recursive: true });
      try {
        await rename(from, to);
      } catch (thrown) {
        if (systemCode(thrown) === 'ENOENT' && attempt < 5 && existsSync(from)) continue;
        throw thrown;
      }
      // A new folder's own name lies in its parent, up to the first that was there before.
      for (let at = dirname(to); ; at = dirname(at)) {
        await syncFolder(at);
        if (made === undefined || at.length < made.length) return;
      }
    }
  }

  async #reading(key: string, read: (file: FileHandle) => Promise<Uint8Array>): Promise<Uint8Array> {
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
    // With the folder itself gone (unmounted, moved) nothing can be said about a key.
    throw missing && existsSync(this.#folder) ? absent(key, thrown) : folderFault(thrown, this.#folder);
  }

  async *#below(folder: string, prefix: string): AsyncGenerator<BlobEntry> {
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
        yield* this.#below(key, prefix);
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

function absent(key: string, cause?: unknown): AssayError {
  return new AssayError('not_found', `the blob store holds no ${key}`, { cause });
}

/** Writes a new file that survives a loss of power once this returns. */
async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

/** Copies an open file to a new one, synced: for files that lie on another disk. */
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

/** Makes the names in a folder last. Windows syncs them itself and opens no folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}
