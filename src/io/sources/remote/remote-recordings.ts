import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AssayError, blobFolderError, limitConcurrency } from '#core';
import type { Finding } from '#core/episode';
import type { ByteStore, LocalFiles, PartialFile, ReadableFile } from '../byte-store.ts';
import { ObjectCache } from '../cache/object-cache.ts';
import { download, downloadWhole } from './download.ts';
import { PartialFiles } from './part-files.ts';
import { RangeFile } from './range-file.ts';
import { type RemoteEntry, type RemoteObjects, usablePaths } from './remote-objects.ts';

/**
 * Files that one call downloads in parallel, and ranges that all calls fetch in parallel, each of which is in memory.
 */
const parallelFiles = 8;
const parallelRanges = 8;
/** Files below this size in bytes are not fetched in parts. */
const minPartialBytes = 64 * 1024;

/**
 * Recordings in a remote store (S3 or HTTP). Streaming reads use ranges; files that libraries open by name are local
 * copies that exist while they are acquired.
 */
export class RemoteRecordings implements ByteStore {
  readonly label: string;
  /** Local folder under which held files stand under their own paths. */
  readonly root: string;
  readonly #objects: RemoteObjects;
  readonly #cache: ObjectCache;
  readonly #parts: PartialFiles;
  readonly #limitRanges = limitConcurrency(parallelRanges);
  readonly #entries = new Map<string, RemoteEntry>();
  /** Links that are being removed, by path; a new link waits for the removal. */
  readonly #removals = new Map<string, Promise<void>>();
  readonly #acquired = new Map<string, { count: number; linked: Promise<void> }>();
  #users = 1;
  #faults = 0;
  #lastFault: AssayError | null = null;

  private constructor(objects: RemoteObjects, cache: ObjectCache, root: string) {
    this.label = objects.label;
    this.root = root;
    // No listed path starts with a dot: hidden files are ignored.
    this.#parts = new PartialFiles(join(root, '.parts'));
    this.#objects = objects;
    this.#cache = cache;
  }

  /**
   * Opens recordings in a remote store and creates a folder for local copies in the cache; lists nothing. The caller
   * must close it.
   */
  static async open(
    objects: RemoteObjects,
    { cache_folder, cache_bytes }: { readonly cache_folder: string; readonly cache_bytes: number },
  ): Promise<RemoteRecordings> {
    const cache = new ObjectCache(cache_folder, cache_bytes);
    return new RemoteRecordings(objects, cache, await cache.openMirror());
  }

  /** Number of failures of the store. What was read meanwhile may only look damaged. */
  get faults(): number {
    return this.#faults;
  }

  get last_fault(): AssayError | null {
    return this.#lastFault;
  }

  async list(): Promise<{
    files: { path: string; bytes: number }[];
    findings: readonly Finding[];
    single: boolean;
  }> {
    const { singleFile } = this.#objects;
    const entries: RemoteEntry[] = [];
    await this.#countFaults(async () => {
      if (singleFile !== null) entries.push(await this.#objects.entry(singleFile));
      else for await (const entry of this.#objects.list()) entries.push(entry);
    });
    const { objects, findings } = usablePaths(entries);
    for (const [path, entry] of objects) this.#entries.set(path, entry);
    const files = [...objects].map(([path, { bytes }]) => ({ path, bytes }));
    return { files, findings, single: singleFile !== null };
  }

  async open(path: string): Promise<ReadableFile> {
    if (!this.#objects.ranges) return this.#openLocalCopy(path);
    const entry = await this.#entry(path);
    return new RangeFile(entry.bytes, (offset, length) =>
      this.#countFaults(() => this.#objects.read(entry, offset, length)),
    );
  }

  async read(path: string, bytes: number): Promise<Uint8Array> {
    await using file = await this.open(path);
    const { buffer, bytesRead } = await file.read(new Uint8Array(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  }

  /**
   * Makes local copies of whole files available below `root`. A file is downloaded once, however many users acquire it.
   * If one download fails, all files of the call are released and the error is thrown.
   */
  async acquire(paths: readonly string[]): Promise<LocalFiles> {
    const uniquePaths = [...new Set(paths)];
    const acquiredPaths: string[] = [];
    const release = async () => {
      for (const path of acquiredPaths.splice(0)) await this.#releaseOne(path);
    };
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < uniquePaths.length) {
        const path = uniquePaths[next++];
        acquiredPaths.push(path);
        await this.#acquireOne(path);
      }
    };
    try {
      await Promise.all(Array.from({ length: parallelFiles }, work));
    } catch (thrown) {
      next = uniquePaths.length;
      await release();
      throw thrown;
    }
    return { absolute: (path) => join(this.root, path), release };
  }

  async #openLocalCopy(path: string): Promise<ReadableFile> {
    const localFiles = await this.acquire([path]);
    const file = await open(localFiles.absolute(path)).catch(async (thrown) => {
      await localFiles.release();
      throw blobFolderError(thrown, this.root);
    });
    const close = async () => {
      await file.close();
      await localFiles.release();
    };
    return { read: (...args) => file.read(...args), close, [Symbol.asyncDispose]: close };
  }

  /**
   * Returns a local file of full size of which only the last `length` bytes are filled in, which is enough to read a
   * footer.
   */
  async acquireTail(path: string, length: number): Promise<LocalFiles> {
    if (!this.#objects.ranges) return this.acquire([path]);
    const entry = await this.#entry(path);
    const { bytes } = entry;
    const from = Math.max(0, bytes - length);
    const end = await this.#countFaults(() => this.#objects.read(entry, from, bytes - from));
    const copy = join(this.root, `.end-${randomBytes(6).toString('hex')}`);
    try {
      await using file = await open(copy, 'wx', 0o600);
      await file.write(end, 0, end.length, from);
      await truncate(copy, bytes);
    } catch (thrown) {
      throw blobFolderError(thrown, this.root);
    }
    return { absolute: () => copy, release: () => rm(copy, { force: true }) };
  }

  async acquirePartial(path: string): Promise<PartialFile | null> {
    const entry = await this.#entry(path);
    // Receipts contain the hash of a video; if the store does not know it, it can only be computed from the whole file.
    if (!this.#objects.parts_of_video || entry.bytes < minPartialBytes || entry.sha256 == null) return null;
    return this.#parts.acquire(path, entry.bytes, (offset, length) =>
      this.#countFaults(() => this.#limitRanges(() => this.#objects.read(entry, offset, length))),
    );
  }

  /** Returns the SHA-256 of a file: as stored by the server, else computed from a local copy. */
  async sha256(path: string): Promise<string> {
    const entry = await this.#entry(path);
    const storedHash = await this.#countFaults(() => this.#objects.sha256(entry));
    if (storedHash !== null) return storedHash;
    const localFiles = await this.acquire([path]);
    try {
      return await hashFile(localFiles.absolute(path));
    } finally {
      await localFiles.release();
    }
  }

  retain(): void {
    this.#users += 1;
  }

  async close(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#objects.close();
    await rm(this.root, { recursive: true, force: true });
  }

  async #entry(path: string): Promise<RemoteEntry> {
    let entry = this.#entries.get(path);
    if (entry === undefined) {
      entry = await this.#countFaults(() => this.#objects.entry(path));
      this.#entries.set(path, entry);
    }
    return entry;
  }

  #acquireOne(path: string): Promise<void> {
    let use = this.#acquired.get(path);
    if (use === undefined) {
      use = { count: 0, linked: this.#link(path) };
      this.#acquired.set(path, use);
    }
    use.count += 1;
    return use.linked;
  }

  async #releaseOne(path: string): Promise<void> {
    const use = this.#acquired.get(path);
    if (use === undefined) return;
    use.count -= 1;
    if (use.count > 0) return;
    this.#acquired.delete(path);
    const removal = rm(join(this.root, path), { force: true }).finally(() => this.#removals.delete(path));
    this.#removals.set(path, removal);
    await removal;
  }

  async #link(path: string): Promise<void> {
    const entry = await this.#entry(path);
    const { bytes, etag } = entry;
    const target = join(this.root, path);
    await this.#removals.get(path);
    await this.#countFaults(async () => {
      await mkdir(dirname(target), { recursive: true });
      const version = { store: this.#objects.store_id, path, etag, bytes };
      await this.#cache.linkAt(version, target, (_, to) => this.#fetch(entry, to));
    });
  }

  /** Downloads an object to a file. Throws `storage_unavailable` if its SHA-256 differs from the listed one. */
  async #fetch(entry: RemoteEntry, to: string): Promise<void> {
    const { ranges } = this.#objects;
    if (!ranges) await downloadWhole(() => this.#objects.readWhole(entry), to);
    else
      await download(
        entry.bytes,
        (offset, length) => this.#limitRanges(() => this.#objects.read(entry, offset, length, 'once')),
        to,
      );
    const promised = entry.sha256 ?? null;
    if (promised === null || (await hashFile(to)) === promised) return;
    throw new AssayError('storage_unavailable', `${entry.path} was downloaded with a wrong SHA-256`, {
      path: entry.path,
      advice: 'try again; if it fails again, the stored file is corrupt: ask its owner',
    });
  }

  /** Runs `work` and counts `storage_unavailable` errors in `faults`. */
  async #countFaults<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof AssayError && thrown.code === 'storage_unavailable') {
        this.#faults += 1;
        this.#lastFault = thrown;
      }
      throw thrown;
    }
  }
}

async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), digest);
  return digest.digest('hex');
}
