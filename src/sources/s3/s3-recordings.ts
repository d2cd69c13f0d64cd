import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Finding } from '#episode';
import { AssayError, folderFault } from '#kernel';
import type { ByteStore, HeldFiles } from '../byte-store.ts';
import { ObjectCache } from '../cache/object-cache.ts';
import type { RecordingsRef } from '../recordings-ref.ts';
import { atOnce } from './at-once.ts';
import { download } from './download.ts';
import { RangeFile } from './range-file.ts';
import { createS3Client } from './s3-client.ts';
import { type S3Entry, S3Objects } from './s3-objects.ts';
import { usableKeys } from './usable-keys.ts';

type S3Ref = Extract<RecordingsRef, { kind: 's3' }>;

/** Files of one call that are fetched at once, and ranges of all of them: each is in memory on its way. */
const heldAtOnce = 8;
const rangesAtOnce = 8;

/**
 * Recordings under an S3 prefix, as readers want their bytes: ranges of whatever is read
 * piece by piece, and local copies, for as long as they are held, of what libraries open by name.
 */
export class S3Recordings implements ByteStore {
  readonly label: string;
  /** Local folder under which held files stand under their own paths. */
  readonly root: string;
  readonly #objects: S3Objects;
  readonly #cache: ObjectCache;
  readonly #inTurn = atOnce(rangesAtOnce);
  readonly #prefix: string;
  readonly #lone: string | null;
  readonly #known = new Map<string, S3Entry>();
  /** Links on their way out: a new one waits for them. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #holds = new Map<string, { count: number; linked: Promise<void> }>();
  #users = 1;
  #faults = 0;
  #lastFault: AssayError | null = null;

  private constructor(ref: S3Ref, objects: S3Objects, cache: ObjectCache, root: string, lone: boolean) {
    this.label = `s3://${ref.bucket}/${ref.prefix}`;
    this.root = root;
    this.#objects = objects;
    this.#cache = cache;
    const folder = ref.prefix === '' || ref.prefix.endsWith('/') ? ref.prefix : `${ref.prefix}/`;
    this.#prefix = lone ? ref.prefix.slice(0, ref.prefix.lastIndexOf('/') + 1) : folder;
    this.#lone = lone ? ref.prefix : null;
  }

  /** Throws `storage_unavailable`. A prefix that is itself an object's key is that one file. */
  static async open(ref: S3Ref): Promise<S3Recordings> {
    const objects = new S3Objects(createS3Client(ref.connection), ref.bucket);
    const cache = new ObjectCache(ref.cache_folder, ref.cache_bytes);
    const lone = ref.prefix !== '' && !ref.prefix.endsWith('/') && (await isObject(objects, ref.prefix));
    return new S3Recordings(ref, objects, cache, await cache.openMirror(), lone);
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
    const entries: S3Entry[] = [];
    await this.#watched(async () => {
      if (this.#lone !== null) entries.push(await this.#objects.head(this.#lone));
      else for await (const entry of this.#objects.list(this.#prefix)) entries.push(entry);
    });
    const { objects, findings } = usableKeys(this.#prefix, entries);
    for (const [path, entry] of objects) this.#known.set(path, entry);
    const files = [...objects].map(([path, { bytes }]) => ({ path, bytes }));
    return { files, findings, single: this.#lone !== null };
  }

  async open(path: string): Promise<RangeFile> {
    const { key, bytes, etag } = await this.#entry(path);
    return new RangeFile(bytes, (offset, length) =>
      this.#watched(() => this.#objects.read(key, offset, length, etag)),
    );
  }

  async read(path: string, bytes: number): Promise<Uint8Array> {
    const file = await this.open(path);
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

  /** A file of full size of which only the last `length` bytes are there: enough for who reads a footer. */
  async holdEnd(path: string, length: number): Promise<HeldFiles> {
    const { key, bytes, etag } = await this.#entry(path);
    const from = Math.max(0, bytes - length);
    const end = await this.#watched(() => this.#objects.read(key, from, bytes - from, etag));
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

  /** SHA-256 of a file: as the server has it, else of what is fetched. */
  async sha256(path: string): Promise<string> {
    const { key, etag } = await this.#entry(path);
    const head = await this.#watched(() => this.#objects.head(key));
    if (head.sha256 !== null && head.etag === etag) return head.sha256;
    const held = await this.hold([path]);
    try {
      const digest = createHash('sha256');
      await pipeline(createReadStream(held.absolute(path), { highWaterMark: 1024 * 1024 }), digest);
      return digest.digest('hex');
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
    this.#objects.client.destroy();
    await rm(this.root, { recursive: true, force: true });
  }

  async #entry(path: string): Promise<S3Entry> {
    let entry = this.#known.get(path);
    if (entry === undefined) {
      entry = await this.#watched(() => this.#objects.head(this.#prefix + path));
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
    const { key, bytes, etag } = await this.#entry(path);
    const target = join(this.root, path);
    await this.#leaving.get(path);
    await this.#watched(async () => {
      await mkdir(dirname(target), { recursive: true });
      const version = { bucket: this.#objects.bucket, key, etag, bytes };
      await this.#cache.linkAt(version, target, (_, to) =>
        download(
          bytes,
          (offset, length) => this.#inTurn(() => this.#objects.read(key, offset, length, etag)),
          to,
        ),
      );
    });
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

async function isObject(objects: S3Objects, key: string): Promise<boolean> {
  try {
    await objects.head(key);
    return true;
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'not_found') return false;
    objects.client.destroy();
    throw thrown;
  }
}
