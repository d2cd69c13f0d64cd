import { link, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blobFolderError, sha256, systemCode } from '#core';
import { makeFolder } from '../folder/make-folder.ts';
import { clearStaging, stagingName } from './staging.ts';

/** One version of a remote object, identified by its ETag. */
export interface ObjectVersion {
  /** Unique name of the store, such as the bucket. */
  readonly store: string;
  readonly path: string;
  readonly etag: string;
  readonly bytes: number;
}

/** Downloads an object to a new local file. */
export type FetchObject = (version: ObjectVersion, path: string) => Promise<void>;

/**
 * On-disk cache of whole remote objects for libraries that open files by name, shared by all threads and processes that
 * use the folder. The least recently used objects are deleted when the cache exceeds `limit` bytes. Users get a hard
 * link of their own, so a file in use survives its removal from the cache.
 */
export class ObjectCache {
  readonly #objects: string;
  readonly #stagingFolder: string;
  readonly #mirrorsFolder: string;
  readonly #limit: number;
  #sinceSweep = Number.POSITIVE_INFINITY;

  constructor(folder: string, limit: number) {
    this.#objects = join(folder, 'objects');
    this.#stagingFolder = join(folder, 'arriving');
    this.#mirrorsFolder = join(folder, 'held');
    this.#limit = limit;
  }

  /**
   * Creates a folder for the hard links of one user of the cache and returns its path; the user removes it when done.
   */
  async openMirror(): Promise<string> {
    const mirror = join(this.#mirrorsFolder, stagingName());
    await this.#withFolderErrors(async () => {
      for (const folder of [this.#objects, this.#stagingFolder, mirror]) makeFolder(folder, 0o700);
    });
    return mirror;
  }

  /**
   * Creates a hard link to an object at `path`, downloading the object first if it is not cached. Concurrent calls for
   * one object download it once.
   */
  async linkAt(version: ObjectVersion, path: string, fetch: FetchObject): Promise<void> {
    const object = join(this.#objects, sha256(`${version.store}\n${version.path}\n${version.etag}`));
    for (;;) {
      if (await this.#tryLink(object, path)) return;
      await fetchOnce(object, async () => this.#fetch(version, object, fetch));
    }
  }

  async #tryLink(object: string, path: string): Promise<boolean> {
    try {
      await link(object, path);
      const now = new Date();
      await utimes(object, now, now).catch(() => {});
      return true;
    } catch (thrown) {
      if (systemCode(thrown) === 'EEXIST') return true;
      if (systemCode(thrown) === 'ENOENT') return false;
      throw blobFolderError(thrown, this.#objects);
    }
  }

  async #fetch(version: ObjectVersion, object: string, fetch: FetchObject): Promise<void> {
    await this.#makeRoom(version.bytes);
    const arriving = join(this.#stagingFolder, stagingName());
    try {
      await fetch(version, arriving);
      await this.#withFolderErrors(() => rename(arriving, object));
    } finally {
      await rm(arriving, { force: true }).catch(() => {});
    }
  }

  /**
   * Deletes the least recently used objects until `coming` more bytes fit. Checks only after 1/16 of the limit was
   * added.
   */
  async #makeRoom(coming: number): Promise<void> {
    this.#sinceSweep += coming;
    if (this.#sinceSweep < this.#limit / 16) return;
    this.#sinceSweep = 0;
    const cached: { path: string; bytes: number; used: number }[] = [];
    for (const name of await readdir(this.#objects)) {
      const path = join(this.#objects, name);
      const info = await stat(path).catch(() => null);
      if (info?.isFile()) cached.push({ path, bytes: info.size, used: info.mtimeMs });
    }
    let total = cached.reduce((sum, { bytes }) => sum + bytes, coming);
    for (const { path, bytes } of cached.sort((a, b) => a.used - b.used)) {
      if (total <= this.#limit) return;
      await rm(path, { force: true });
      total -= bytes;
    }
  }

  async #withFolderErrors(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      throw blobFolderError(thrown, this.#objects);
    }
  }
}

/** Removes temporary files of killed processes from a cache folder. Called once at the start of a process. */
export function clearCache(folder: string): void {
  for (const name of ['arriving', 'held']) {
    try {
      clearStaging(join(folder, name));
    } catch (thrown) {
      throw blobFolderError(thrown, folder);
    }
  }
}

/**
 * A running download touches its lock file at this interval; a lock that was not touched for four intervals is
 * considered abandoned.
 */
const heartbeat_ms = 2000;
const lockExpiry_ms = 4 * heartbeat_ms;
const poll_ms = 40;

/**
 * Runs `fetch` unless another thread or process is already downloading `target`; in that case waits until that download
 * ends. The caller checks afterwards whether the file exists.
 */
async function fetchOnce(target: string, fetch: () => Promise<void>): Promise<void> {
  const lock = `${target}.lock`;
  if (!(await tryLock(lock))) return waitForUnlock(lock);
  const beat = setInterval(() => {
    const now = new Date();
    void utimes(lock, now, now).catch(() => {});
  }, heartbeat_ms);
  try {
    await fetch();
  } finally {
    clearInterval(beat);
    await rm(lock, { force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw blobFolderError(thrown, lock);
  }
}

async function waitForUnlock(lock: string): Promise<void> {
  for (;;) {
    const info = await stat(lock).catch(() => null);
    if (info === null) return;
    if (Date.now() - info.mtimeMs > lockExpiry_ms) {
      await rm(lock, { force: true });
      return;
    }
    await sleep(poll_ms);
  }
}
