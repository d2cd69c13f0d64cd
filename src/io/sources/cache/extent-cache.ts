import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '#core';
import { makeFolder } from '../folder/make-folder.ts';
import type { ObjectVersion } from './object-cache.ts';
import { stagingName } from './staging.ts';

/** Bytes of an object from `offset` on. */
export type FetchExtent = (offset: number, length: number) => Promise<Uint8Array>;

interface Extent {
  readonly start: number;
  readonly end: number;
}

const hashBytes = 32;

/**
 * Ranges of objects that were read before, each a file with a checksum behind its bytes: the same reading again asks for
 * the same ranges. What cannot be kept, or is spoiled, is fetched. Objects not used for longest go when there are more
 * than `limit` bytes.
 */
export class ExtentCache {
  readonly #folder: string;
  readonly #arriving: string;
  readonly #limit: number;
  readonly #known = new Map<string, Promise<Extent[]>>();
  #sinceSweep = Number.POSITIVE_INFINITY;

  constructor(folder: string, limit: number) {
    this.#folder = join(folder, 'extents');
    this.#arriving = join(folder, 'arriving');
    this.#limit = limit;
  }

  /** Reads through the cache; tells `onCached` of bytes that need not be fetched. `keep`: what is fetched is. */
  async read(
    version: ObjectVersion,
    offset: number,
    length: number,
    fetch: FetchExtent,
    { onCached, keep }: { readonly onCached: (bytes: number) => void; readonly keep: boolean },
  ): Promise<Uint8Array> {
    const name = sha256(`${version.store}\n${version.path}\n${version.etag}`);
    const extents = await this.#extentsOf(name);
    const end = Math.min(version.bytes, offset + length);
    const into = new Uint8Array(Math.max(0, end - offset));
    for (let at = offset; at < end; ) {
      const kept = best(extents, at);
      const bytes = kept === null ? null : await this.#kept(name, kept);
      if (kept !== null && bytes !== null) {
        const part = bytes.subarray(at - kept.start, end - kept.start);
        into.set(part, at - offset);
        onCached(part.length);
        at += part.length;
      } else if (kept !== null) extents.splice(extents.indexOf(kept), 1);
      else {
        const next = extents.reduce((to, { start }) => (start > at && start < to ? start : to), end);
        const fetched = await fetch(at, next - at);
        into.set(fetched, at - offset);
        if (keep) {
          await this.#keep(name, at, fetched);
          extents.push({ start: at, end: at + fetched.length });
        }
        at = next;
      }
    }
    return into;
  }

  #extentsOf(name: string): Promise<Extent[]> {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = this.#look(name);
      this.#known.set(name, known);
    }
    return known;
  }

  async #look(name: string): Promise<Extent[]> {
    const folder = join(this.#folder, name);
    const names = await readdir(folder).catch(() => []);
    if (names.length > 0) await utimes(folder, new Date(), new Date()).catch(() => {});
    return names.flatMap((file) => {
      const said = /^(\d+)-(\d+)$/.exec(file);
      return said === null ? [] : [{ start: Number(said[1]), end: Number(said[2]) }];
    });
  }

  /** Null where it is gone or is not what was written. */
  async #kept(name: string, { start, end }: Extent): Promise<Uint8Array | null> {
    const path = join(this.#folder, name, `${start}-${end}`);
    const file = await readFile(path).catch(() => null);
    if (file === null) return null;
    const bytes = file.subarray(0, Math.max(0, file.length - hashBytes));
    if (bytes.length === end - start && file.subarray(bytes.length).equals(hashOf(bytes))) return bytes;
    await rm(path, { force: true }).catch(() => {});
    return null;
  }

  /** A disk that takes nothing more is no reason to stop reading. */
  async #keep(name: string, start: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length > this.#limit) return;
    const arriving = join(this.#arriving, stagingName());
    const folder = join(this.#folder, name);
    try {
      await this.#makeRoom(bytes.length);
      makeFolder(folder, 0o700);
      await writeFile(arriving, Buffer.concat([bytes, hashOf(bytes)]), { flag: 'wx', mode: 0o600 });
      await rename(arriving, join(folder, `${start}-${start + bytes.length}`));
    } catch {
      await rm(arriving, { force: true }).catch(() => {});
    }
  }

  async #makeRoom(coming: number): Promise<void> {
    this.#sinceSweep += coming;
    if (this.#sinceSweep < this.#limit / 16) return;
    this.#sinceSweep = 0;
    const kept: { folder: string; bytes: number; used: number }[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const folder = join(this.#folder, name);
      const info = await stat(folder).catch(() => null);
      const files = await readdir(folder).catch(() => []);
      const bytes = files.reduce((sum, file) => sum + lengthOf(file), 0);
      if (info !== null) kept.push({ folder, bytes, used: info.mtimeMs });
    }
    let total = kept.reduce((sum, { bytes }) => sum + bytes, coming);
    for (const { folder, bytes } of kept.sort((a, b) => a.used - b.used)) {
      if (total <= this.#limit) return;
      await rm(folder, { recursive: true, force: true });
      total -= bytes;
    }
  }
}

/** The extent with this byte that reaches furthest; null where there is none. */
function best(extents: readonly Extent[], at: number): Extent | null {
  let found: Extent | null = null;
  for (const extent of extents)
    if (extent.start <= at && extent.end > at && extent.end > (found?.end ?? 0)) found = extent;
  return found;
}

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function lengthOf(file: string): number {
  const [start, end] = file.split('-').map(Number);
  return Number.isFinite(end - start) ? end - start + hashBytes : 0;
}
