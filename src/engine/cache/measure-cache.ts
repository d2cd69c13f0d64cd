import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { limits, messageOf } from '#core';
import { makeFolder } from '#io/sources';

/** Minimum time between two updates of an entry's last-use time, to limit writes. */
const touchInterval_ms = 60_000;
/** Fraction of the maximum cache size that is written between two sweeps. */
const sweepFraction = 1 / 32;

/**
 * On-disk cache of measurements by key. Several threads and processes may share one folder: entries are written
 * atomically by renaming and carry their key and a hash. Entries that are damaged, of another key or owned by another
 * user are treated as missing.
 */
export class MeasureCache {
  readonly #folder: string;
  readonly #onTrouble: (why: string) => void;
  #writable = true;
  #bytesSinceSweep = Number.POSITIVE_INFINITY;
  #written = 0;

  /** `onTrouble` is called once, with the reason, when the cache cannot be written. */
  constructor(folder: string, onTrouble: (why: string) => void) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  /**
   * Returns the blocks of an entry, unpacked lazily, and marks it as used now; null if there is no valid one or it cannot be
   * read.
   */
  read(key: string): Iterable<Buffer> | null {
    let fd: number | null = null;
    try {
      fd = openSync(this.#pathOf(key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      const stats = fstatSync(fd);
      if (!stats.isFile() || !ownedByUser(stats.uid)) return null;
      const blocks = unpackEntry(key, readFileSync(fd));
      if (blocks !== null && Date.now() - stats.mtimeMs > touchInterval_ms) touch(fd);
      return blocks;
    } catch {
      return null;
    } finally {
      if (fd !== null) closeSync(fd);
    }
  }

  /** Writes an entry and never throws: after a failure `onTrouble` is called and all later writes of this process are ignored. */
  write(key: string, blocks: readonly Uint8Array[]): void {
    if (!this.#writable) return;
    const path = this.#pathOf(key);
    const temporary = join(
      this.#folder,
      entriesFolder,
      `${temporaryPrefix}${process.pid}-${threadId}-${this.#written++}`,
    );
    try {
      makeFolder(dirname(path), 0o700);
      const entry = packEntry(key, blocks);
      writeFileSync(temporary, entry, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, path);
      this.#sweep(entry.length);
    } catch (thrown) {
      this.#writable = false;
      removeFile(temporary);
      this.#onTrouble(messageOf(thrown));
    }
  }

  /** Sweeps in the background; failures are ignored and retried by the next sweep. */
  #sweep(bytes: number): void {
    this.#bytesSinceSweep += bytes;
    if (this.#bytesSinceSweep < maxCacheBytes * sweepFraction) return;
    this.#bytesSinceSweep = 0;
    sweep(this.#folder).catch(() => {});
  }

  #pathOf(key: string): string {
    return join(this.#folder, entriesFolder, key.slice(0, 2), key.slice(2));
  }
}

function ownedByUser(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A file that cannot be written cannot be removed either.
  }
}

/** Marks an entry as used now. */
function touch(fd: number): void {
  try {
    const now = new Date();
    futimesSync(fd, now, now);
  } catch {
    // A read-only cache keeps its times.
  }
}

/** Maximum size of an unpacked block; larger ones are not valid entries. */
const maxBlockBytes = 1 << 30;
const digestBytes = 32;

/** Returns the header of an entry. Its number changes with the entry layout. */
const entryHeader = (key: string): Buffer => Buffer.from(`assay measured 1 ${key}\n`);

/** Returns a block compressed with zstd, prefixed by its length (uint32 LE). */
export function packBlock(bytes: Uint8Array): Buffer {
  const packed = zstdCompressSync(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packed.length);
  return Buffer.concat([length, packed]);
}

/** Returns an entry as stored: header, blocks and a SHA-256 over both. */
function packEntry(key: string, blocks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([entryHeader(key), ...blocks]);
  return Buffer.concat([body, sha256Bytes(body)]);
}

/** Returns the blocks of an entry, unpacked lazily, or null if it is not a complete and unchanged entry of `key`. */
function unpackEntry(key: string, entry: Buffer): Iterable<Buffer> | null {
  const header = entryHeader(key);
  const end = entry.length - digestBytes;
  if (end < header.length || !entry.subarray(0, header.length).equals(header)) return null;
  if (!sha256Bytes(entry.subarray(0, end)).equals(entry.subarray(end))) return null;
  return unpackBlocks(entry.subarray(header.length, end));
}

function* unpackBlocks(blocks: Buffer): Generator<Buffer> {
  for (let at = 0; at < blocks.length; ) {
    const from = at + 4;
    at = from + blocks.readUInt32LE(at);
    yield zstdDecompressSync(blocks.subarray(from, at), { maxOutputLength: maxBlockBytes });
  }
}

const sha256Bytes = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Subfolder of the cache folder that holds the entries. */
const entriesFolder = 'measured';
/** Prefix of files that are being written. */
const temporaryPrefix = '.writing-';

const maxCacheBytes = limits.storage.measured_cache_bytes.value;
const maxEntries = limits.storage.measured_cache_entries.value;
/** Fraction of the limits that a sweep reduces the cache to, so that the next sweep is not due at once. */
const targetFraction = 0.9;
/** Age after which an unfinished file is considered abandoned by a dead process. */
const abandoned_ms = 3600_000;

/** Number and total size of cache entries. */
export interface CacheSize {
  readonly entries: number;
  readonly bytes: number;
}

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly used_ms: number;
}

/** Returns the number and total size of the entries in a cache folder, and removes unfinished files older than an hour. */
export async function cacheSize(folder: string): Promise<CacheSize> {
  const entries = await listEntries(folder);
  return { entries: entries.length, bytes: totalBytes(entries) };
}

/** Removes the least recently used entries, down to 90 % of the limits, if the cache exceeds its limits. */
export async function sweep(
  folder: string,
  max: CacheSize = { bytes: maxCacheBytes, entries: maxEntries },
): Promise<void> {
  const entries = await listEntries(folder);
  let bytes = totalBytes(entries);
  let remaining = entries.length;
  if (bytes <= max.bytes && remaining <= max.entries) return;
  entries.sort((a, b) => a.used_ms - b.used_ms);
  for (const entry of entries) {
    if (bytes <= targetFraction * max.bytes && remaining <= targetFraction * max.entries) return;
    await rm(entry.path, { force: true });
    bytes -= entry.bytes;
    remaining--;
  }
}

/** Deletes the cache and returns its former size. */
export async function clearCache(folder: string): Promise<CacheSize> {
  const size = await cacheSize(folder);
  await rm(join(folder, entriesFolder), { recursive: true, force: true });
  return size;
}

const totalBytes = (entries: readonly Entry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

async function listEntries(folder: string): Promise<Entry[]> {
  const all: Entry[] = [];
  const top = join(folder, entriesFolder);
  for (const name of await listNames(top)) {
    if (name.startsWith(temporaryPrefix)) await removeAbandoned(join(top, name));
    else
      for (const own of await listNames(join(top, name)))
        all.push(...(await statEntry(join(top, name, own))));
  }
  return all;
}

async function statEntry(path: string): Promise<Entry[]> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true ? [{ path, bytes: stats.size, used_ms: stats.mtimeMs }] : [];
}

async function removeAbandoned(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats !== null && Date.now() - stats.mtimeMs > abandoned_ms) await rm(path, { force: true });
}

/** Returns the sorted names in a folder, or none if it does not exist. */
async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}
