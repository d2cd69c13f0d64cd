import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '#core';
import { makeFolder } from '../folder/make-folder.ts';
import type { ObjectVersion } from './object-cache.ts';
import { stagingName } from './staging.ts';

/** Fetches `length` bytes of an object from `offset`; may return fewer at its end. */
export type FetchExtent = (offset: number, length: number) => Promise<Uint8Array>;

interface Extent {
  readonly start: number;
  readonly end: number;
}

const checksumBytes = 32;

/**
 * On-disk cache of byte ranges of remote objects, one file per range with its SHA-256 appended. Reading a recording
 * again requests the same ranges. Ranges that cannot be stored or are damaged are fetched. The least recently used
 * objects are deleted when the cache exceeds `limit` bytes.
 */
export class ExtentCache {
  readonly #folder: string;
  readonly #stagingFolder: string;
  readonly #limit: number;
  readonly #extents = new Map<string, Promise<Extent[]>>();
  #sinceSweep = Number.POSITIVE_INFINITY;

  constructor(folder: string, limit: number) {
    this.#folder = join(folder, 'extents');
    this.#stagingFolder = join(folder, 'arriving');
    this.#limit = limit;
  }

  /**
   * Reads a byte range from the cache, calling `fetch` for what it lacks; fetched ranges are stored if `keep`.
   * `onCached` is called with the number of bytes that came from the cache.
   */
  async read(
    version: ObjectVersion,
    offset: number,
    length: number,
    fetch: FetchExtent,
    { onCached, keep }: { readonly onCached: (bytes: number) => void; readonly keep: boolean },
  ): Promise<Uint8Array> {
    const name = sha256(`${version.store}\n${version.path}\n${version.etag}`);
    const extents = await this.#extentsFor(name);
    const end = Math.min(version.bytes, offset + length);
    const into = new Uint8Array(Math.max(0, end - offset));
    for (let at = offset; at < end; ) {
      const cached = longestExtentAt(extents, at);
      const bytes = cached === null ? null : await this.#readExtent(name, cached);
      if (cached !== null && bytes !== null) {
        const part = bytes.subarray(at - cached.start, end - cached.start);
        into.set(part, at - offset);
        onCached(part.length);
        at += part.length;
      } else if (cached !== null) extents.splice(extents.indexOf(cached), 1);
      else {
        const next = extents.reduce((to, { start }) => (start > at && start < to ? start : to), end);
        const fetched = await fetch(at, next - at);
        into.set(fetched, at - offset);
        if (keep) {
          await this.#writeExtent(name, at, fetched);
          extents.push({ start: at, end: at + fetched.length });
        }
        at = next;
      }
    }
    return into;
  }

  #extentsFor(name: string): Promise<Extent[]> {
    let pending = this.#extents.get(name);
    if (pending === undefined) {
      pending = this.#listExtents(name);
      this.#extents.set(name, pending);
    }
    return pending;
  }

  async #listExtents(name: string): Promise<Extent[]> {
    const folder = join(this.#folder, name);
    const names = await readdir(folder).catch(() => []);
    if (names.length > 0) await utimes(folder, new Date(), new Date()).catch(() => {});
    return names.flatMap((file) => {
      const match = /^(\d+)-(\d+)$/.exec(file);
      return match === null ? [] : [{ start: Number(match[1]), end: Number(match[2]) }];
    });
  }

  /**
   * Returns the bytes of a cached range; null if the file is missing or its checksum does not match, in which case it
   * is deleted.
   */
  async #readExtent(name: string, { start, end }: Extent): Promise<Uint8Array | null> {
    const path = join(this.#folder, name, `${start}-${end}`);
    const file = await readFile(path).catch(() => null);
    if (file === null) return null;
    const bytes = file.subarray(0, Math.max(0, file.length - checksumBytes));
    if (bytes.length === end - start && file.subarray(bytes.length).equals(computeChecksum(bytes)))
      return bytes;
    await rm(path, { force: true }).catch(() => {});
    return null;
  }

  /** Stores a range. Write errors, such as a full disk, are ignored. */
  async #writeExtent(name: string, start: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length > this.#limit) return;
    const arriving = join(this.#stagingFolder, stagingName());
    const folder = join(this.#folder, name);
    try {
      await this.#makeRoom(bytes.length);
      makeFolder(folder, 0o700);
      await writeFile(arriving, Buffer.concat([bytes, computeChecksum(bytes)]), { flag: 'wx', mode: 0o600 });
      await rename(arriving, join(folder, `${start}-${start + bytes.length}`));
    } catch {
      await rm(arriving, { force: true }).catch(() => {});
    }
  }

  async #makeRoom(coming: number): Promise<void> {
    this.#sinceSweep += coming;
    if (this.#sinceSweep < this.#limit / 16) return;
    this.#sinceSweep = 0;
    const cached: { folder: string; bytes: number; used: number }[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const folder = join(this.#folder, name);
      const info = await stat(folder).catch(() => null);
      const files = await readdir(folder).catch(() => []);
      const bytes = files.reduce((sum, file) => sum + extentFileBytes(file), 0);
      if (info !== null) cached.push({ folder, bytes, used: info.mtimeMs });
    }
    let total = cached.reduce((sum, { bytes }) => sum + bytes, coming);
    for (const { folder, bytes } of cached.sort((a, b) => a.used - b.used)) {
      if (total <= this.#limit) return;
      await rm(folder, { recursive: true, force: true });
      total -= bytes;
    }
  }
}

/** Returns the cached range that contains byte `at` and ends furthest; null if there is none. */
function longestExtentAt(extents: readonly Extent[], at: number): Extent | null {
  let found: Extent | null = null;
  for (const extent of extents)
    if (extent.start <= at && extent.end > at && extent.end > (found?.end ?? 0)) found = extent;
  return found;
}

const computeChecksum = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function extentFileBytes(file: string): number {
  const [start, end] = file.split('-').map(Number);
  return Number.isFinite(end - start) ? end - start + checksumBytes : 0;
}
