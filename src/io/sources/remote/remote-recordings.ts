import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AssayError, folderFault } from '#core';
import type { Finding } from '#core/episode';
import type { ByteStore, HeldFiles, HeldPart, ReadableFile } from '../byte-store.ts';
import { ObjectCache } from '../cache/object-cache.ts';
import { atOnce } from './at-once.ts';
import { download, downloadWhole } from './download.ts';
import { PartFiles } from './part-files.ts';
import { RangeFile } from './range-file.ts';
import type { RemoteEntry, RemoteObjects } from './remote-objects.ts';
import { usablePaths } from './usable-paths.ts';

/** Files of one call that are fetched at once, and ranges of all of them: each is in memory on its way. */
const heldAtOnce = 8;
const rangesAtOnce = 8;
/** Smaller files are fetched whole. */
const worthParts = 64 * 1024;

/**
 * Recordings of a store elsewhere, as readers want their bytes: ranges of whatever is read piece by piece, and local
 * copies, for as long as they are held, of what libraries open by name.
 */
export class RemoteRecordings implements ByteStore {
  readonly label: string;
  /** Local folder under which held files stand under their own paths. */
  readonly root: string;
  readonly #objects: RemoteObjects;
  readonly #cache: ObjectCache;
  readonly #parts: PartFiles;
  readonly #inTurn = atOnce(rangesAtOnce);
  readonly #known = new Map<string, RemoteEntry>();
  /** Links on their way out: a new one waits for them. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #holds = new Map<string, { count: number; linked: Promise<void> }>();
  #users = 1;
  #faults = 0;
  #lastFault: AssayError | null = null;

  private constructor(objects: RemoteObjects, cache: ObjectCache, root: string) {
    this.label = objects.label;
    this.root = root;
    // No listed path begins so: names of hidden files are litter.
    this.#parts = new PartFiles(join(root, '.parts'));
    this.#objects = objects;
    this.#cache = cache;
  }

  static async open(
    objects: RemoteObjects,
    { cache_folder, cache_bytes }: { readonly cache_folder: string; readonly cache_bytes: number },
  ): Promise<RemoteRecordings> {
    const cache = new ObjectCache(cache_folder, cache_bytes);
    return new RemoteRecordings(objects, cache, await cache.openMirror());
  }

  /** How often the store itself failed: whoever read meanwhile may have taken it for a damaged file. */
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
    const { lone } = this.#objects;
    const entries: RemoteEntry[] = [];
    await this.#watched(async () => {
      if (lone !== null) entries.push(await this.#objects.entry(lone));
      else for await (const entry of this.#objects.list()) entries.push(entry);
    });
    const { objects, findings } = usablePaths(entries);
    for (const [path, entry] of objects) this.#known.set(path, entry);
    const files = [...objects].map(([path, { bytes }]) => ({ path, bytes }));
    return { files, findings, single: lone !== null };
  }

  async open(path: string): Promise<ReadableFile> {
    if (!this.#objects.ranges) return this.#openHeld(path);
    const entry = await this.#entry(path);
    return new RangeFile(entry.bytes, (offset, length) =>
      this.#watched(() => this.#objects.read(entry, offset, length)),
    );
  }

  async read(path: string, bytes: number): Promise<Uint8Array> {
    await using file = await this.open(path);
    const { buffer, bytesRead } = await file.read(new Uint8Array(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** Copies of whole files below `root`; each is fetched once, however many hold it. */
  async hold(paths: readonly string[]): Promise<HeldFiles> {
    const wanted = [...new Set(paths)];
    const taken: string[] = [];
    const release = async () => {
      for (const path of taken.splice(0)) await this.#giveUp(path);
    };
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < wanted.length) {
        const path = wanted[next++];
        taken.push(path);
        await this.#take(path);
      }
    };
    try {
      await Promise.all(Array.from({ length: heldAtOnce }, work));
    } catch (thrown) {
      next = wanted.length;
      await release();
      throw thrown;
    }
    return { absolute: (path) => join(this.root, path), release };
  }

  async #openHeld(path: string): Promise<ReadableFile> {
    const held = await this.hold([path]);
    const file = await open(held.absolute(path)).catch(async (thrown) => {
      await held.release();
      throw folderFault(thrown, this.root);
    });
    const close = async () => {
      await file.close();
      await held.release();
    };
    return { read: (...asked) => file.read(...asked), close, [Symbol.asyncDispose]: close };
  }

  /** A file of full size of which only the last `length` bytes are there: enough for who reads a footer. */
  async holdEnd(path: string, length: number): Promise<HeldFiles> {
    if (!this.#objects.ranges) return this.hold([path]);
    const entry = await this.#entry(path);
    const { bytes } = entry;
    const from = Math.max(0, bytes - length);
    const end = await this.#watched(() => this.#objects.read(entry, from, bytes - from));
    const copy = join(this.root, `.end-${randomBytes(6).toString('hex')}`);
    try {
      await using file = await open(copy, 'wx', 0o600);
      await file.write(end, 0, end.length, from);
      await truncate(copy, bytes);
    } catch (thrown) {
      throw folderFault(thrown, this.root);
    }
    return { absolute: () => copy, release: () => rm(copy, { force: true }) };
  }

  async holdPart(path: string): Promise<HeldPart | null> {
    const entry = await this.#entry(path);
    // Receipts name the hash of a video: where nobody tells it, only the whole file does.
    if (!this.#objects.parts_of_video || entry.bytes < worthParts || entry.sha256 == null) return null;
    return this.#parts.hold(path, entry.bytes, (offset, length) =>
      this.#watched(() => this.#inTurn(() => this.#objects.read(entry, offset, length))),
    );
  }

  /** SHA-256 of a file: as the server has it, else of what is fetched. */
  async sha256(path: string): Promise<string> {
    const entry = await this.#entry(path);
    const known = await this.#watched(() => this.#objects.sha256(entry));
    if (known !== null) return known;
    const held = await this.hold([path]);
    try {
      return await hashOfFile(held.absolute(path));
    } finally {
      await held.release();
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
    let entry = this.#known.get(path);
    if (entry === undefined) {
      entry = await this.#watched(() => this.#objects.entry(path));
      this.#known.set(path, entry);
    }
    return entry;
  }

  #take(path: string): Promise<void> {
    let hold = this.#holds.get(path);
    if (hold === undefined) {
      hold = { count: 0, linked: this.#link(path) };
      this.#holds.set(path, hold);
    }
    hold.count += 1;
    return hold.linked;
  }

  async #giveUp(path: string): Promise<void> {
    const hold = this.#holds.get(path);
    if (hold === undefined) return;
    hold.count -= 1;
    if (hold.count > 0) return;
    this.#holds.delete(path);
    const gone = rm(join(this.root, path), { force: true }).finally(() => this.#leaving.delete(path));
    this.#leaving.set(path, gone);
    await gone;
  }

  async #link(path: string): Promise<void> {
    const entry = await this.#entry(path);
    const { bytes, etag } = entry;
    const target = join(this.root, path);
    await this.#leaving.get(path);
    await this.#watched(async () => {
      await mkdir(dirname(target), { recursive: true });
      const version = { store: this.#objects.store_id, path, etag, bytes };
      await this.#cache.linkAt(version, target, (_, to) => this.#fetch(entry, to));
    });
  }

  /** Throws `storage_unavailable` where other bytes came than the store promised. */
  async #fetch(entry: RemoteEntry, to: string): Promise<void> {
    const { ranges } = this.#objects;
    if (!ranges) await downloadWhole(() => this.#objects.whole(entry), to);
    else
      await download(
        entry.bytes,
        (offset, length) => this.#inTurn(() => this.#objects.read(entry, offset, length, 'once')),
        to,
      );
    const promised = entry.sha256 ?? null;
    if (promised === null || (await hashOfFile(to)) === promised) return;
    throw new AssayError(
      'storage_unavailable',
      `${entry.path} came with other bytes than the store promised`,
      {
        path: entry.path,
        advice: 'do it again; if it stays, ask whoever stored it',
      },
    );
  }

  /** Counts faults of the store itself. */
  async #watched<T>(work: () => Promise<T>): Promise<T> {
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

async function hashOfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), digest);
  return digest.digest('hex');
}
