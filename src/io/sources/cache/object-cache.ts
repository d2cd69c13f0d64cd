import { link, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderFault, sha256, systemCode } from '#core';
import { makeFolder } from '../folder/make-folder.ts';
import { clearStaging, stagingName } from './staging.ts';

/** An object in one state; written anew it is another. */
export interface ObjectVersion {
  /** The bucket, or another name that no other store has. */
  readonly store: string;
  readonly path: string;
  readonly etag: string;
  readonly bytes: number;
}

/** Writes the object's bytes to a new file. */
export type Fetch = (version: ObjectVersion, path: string) => Promise<void>;

/**
 * Local copies of objects for libraries that open files by name, shared by every thread and process on the folder. What
 * was not used for longest goes when there are more than `limit` bytes; whoever uses a file has a hard link of their
 * own, so that it stays theirs.
 */
export class ObjectCache {
  readonly #objects: string;
  readonly #arriving: string;
  readonly #held: string;
  readonly #limit: number;
  #sinceSweep = Number.POSITIVE_INFINITY;

  constructor(folder: string, limit: number) {
    this.#objects = join(folder, 'objects');
    this.#arriving = join(folder, 'arriving');
    this.#held = join(folder, 'held');
    this.#limit = limit;
  }

  /** A new folder for links of one user of the cache; remove it when done. */
  async openMirror(): Promise<string> {
    const mirror = join(this.#held, stagingName());
    await this.#guard(async () => {
      for (const folder of [this.#objects, this.#arriving, mirror]) makeFolder(folder, 0o700);
    });
    return mirror;
  }

  /** Puts a link to the object's bytes at `path`, fetching them where they are not there. */
  async linkAt(version: ObjectVersion, path: string, fetch: Fetch): Promise<void> {
    const object = join(this.#objects, sha256(`${version.store}\n${version.path}\n${version.etag}`));
    for (;;) {
      if (await this.#linked(object, path)) return;
      await fetchOnce(object, async () => this.#fetch(version, object, fetch));
    }
  }

  async #linked(object: string, path: string): Promise<boolean> {
    try {
      await link(object, path);
      const now = new Date();
      await utimes(object, now, now).catch(() => {});
      return true;
    } catch (thrown) {
      if (systemCode(thrown) === 'EEXIST') return true;
      if (systemCode(thrown) === 'ENOENT') return false;
      throw folderFault(thrown, this.#objects);
    }
  }

  async #fetch(version: ObjectVersion, object: string, fetch: Fetch): Promise<void> {
    await this.#makeRoom(version.bytes);
    const arriving = join(this.#arriving, stagingName());
    try {
      await fetch(version, arriving);
      await this.#guard(() => rename(arriving, object));
    } finally {
      await rm(arriving, { force: true }).catch(() => {});
    }
  }

  /** Deletes the longest unused until `coming` bytes more fit; looks only after much has come. */
  async #makeRoom(coming: number): Promise<void> {
    this.#sinceSweep += coming;
    if (this.#sinceSweep < this.#limit / 16) return;
    this.#sinceSweep = 0;
    const kept: { path: string; bytes: number; used: number }[] = [];
    for (const name of await readdir(this.#objects)) {
      const path = join(this.#objects, name);
      const info = await stat(path).catch(() => null);
      if (info?.isFile()) kept.push({ path, bytes: info.size, used: info.mtimeMs });
    }
    let total = kept.reduce((sum, { bytes }) => sum + bytes, coming);
    for (const { path, bytes } of kept.sort((a, b) => a.used - b.used)) {
      if (total <= this.#limit) return;
      await rm(path, { force: true });
      total -= bytes;
    }
  }

  async #guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      throw folderFault(thrown, this.#objects);
    }
  }
}

/** Removes what killed processes left in a cache folder. Once at the start of a process. */
export function clearCache(folder: string): void {
  for (const name of ['arriving', 'held']) {
    try {
      clearStaging(join(folder, name));
    } catch (thrown) {
      throw folderFault(thrown, folder);
    }
  }
}

/** A living fetcher touches its lock this often; one that was not touched for four times as long is dead. */
const beat_ms = 2000;
const dead_ms = 4 * beat_ms;
const poll_ms = 40;

/**
 * Runs `fetch` unless another thread or process is at it; then waits for its end. Whoever calls looks afterwards
 * whether the file is there.
 */
async function fetchOnce(target: string, fetch: () => Promise<void>): Promise<void> {
  const lock = `${target}.lock`;
  if (!(await take(lock))) return waitFor(lock);
  const beat = setInterval(() => {
    const now = new Date();
    void utimes(lock, now, now).catch(() => {});
  }, beat_ms);
  try {
    await fetch();
  } finally {
    clearInterval(beat);
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw folderFault(thrown, lock);
  }
}

async function waitFor(lock: string): Promise<void> {
  for (;;) {
    const info = await stat(lock).catch(() => null);
    if (info === null) return;
    if (Date.now() - info.mtimeMs > dead_ms) {
      await rm(lock, { force: true });
      return;
    }
    await sleep(poll_ms);
  }
}
