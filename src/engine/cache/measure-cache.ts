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
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { messageOf } from '#core';
import { makeFolder } from '#io/sources';
import { cacheBytes, entriesFolder, sweep, writing } from './sweep.ts';

/** Entries used within this time count as alike old, so that reading seldom writes. */
const sameAge_ms = 60_000;
/** Between two looks at how much lies there, this share of the most that may. */
const sweptEvery = 1 / 32;

/**
 * What was measured, on disk by key. Several threads and processes may use one folder at a time: entries come whole by
 * renaming, say whose they are and carry a hash; what is damaged, of another key or of another user is taken for absent.
 */
export class MeasureCache {
  readonly #folder: string;
  readonly #onTrouble: (why: string) => void;
  #writable = true;
  #unswept = Number.POSITIVE_INFINITY;
  #written = 0;

  /** `onTrouble` hears once why nothing can be kept. */
  constructor(folder: string, onTrouble: (why: string) => void) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  /** The blocks of an entry; null where there is none that can be believed. */
  read(key: string): Iterable<Buffer> | null {
    let fd: number | null = null;
    try {
      fd = openSync(this.#pathOf(key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      const stats = fstatSync(fd);
      if (!stats.isFile() || !isOurs(stats.uid)) return null;
      const blocks = blocksOf(key, readFileSync(fd));
      if (blocks !== null && Date.now() - stats.mtimeMs > sameAge_ms) touch(fd);
      return blocks;
    } catch {
      return null;
    } finally {
      if (fd !== null) closeSync(fd);
    }
  }

  /** Keeps an entry; where that fails nothing is kept from now on. */
  write(key: string, blocks: readonly Uint8Array[]): void {
    if (!this.#writable) return;
    const path = this.#pathOf(key);
    const temporary = join(
      this.#folder,
      entriesFolder,
      `${writing}${process.pid}-${threadId}-${this.#written++}`,
    );
    try {
      makeFolder(dirname(path), 0o700);
      const entry = entryOf(key, blocks);
      writeFileSync(temporary, entry, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, path);
      this.#sweep(entry.length);
    } catch (thrown) {
      this.#writable = false;
      remove(temporary);
      this.#onTrouble(messageOf(thrown));
    }
  }

  /** Goes on beside the work; what fails of it is done by the next. */
  #sweep(bytes: number): void {
    this.#unswept += bytes;
    if (this.#unswept < cacheBytes * sweptEvery) return;
    this.#unswept = 0;
    sweep(this.#folder).catch(() => {});
  }

  #pathOf(key: string): string {
    return join(this.#folder, entriesFolder, key.slice(0, 2), key.slice(2));
  }
}

function isOurs(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What cannot be written cannot be taken out either.
  }
}

/** Used now: it is not among the oldest. */
function touch(fd: number): void {
  try {
    const now = new Date();
    futimesSync(fd, now, now);
  } catch {
    // A cache that is only read keeps its times.
  }
}

/** A block as it was, at most: more is no entry of ours. */
const mostBytes = 1 << 30;
const digestBytes = 32;

/** Changes with the layout of entries. */
const headerOf = (key: string): Buffer => Buffer.from(`assay measured 1 ${key}\n`);

export function packBlock(bytes: Uint8Array): Buffer {
  const packed = zstdCompressSync(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packed.length);
  return Buffer.concat([length, packed]);
}

/** An entry as it lies on disk: whose it is, its blocks, and a hash of all that. */
function entryOf(key: string, blocks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([headerOf(key), ...blocks]);
  return Buffer.concat([body, hashOf(body)]);
}

/** The blocks of an entry, unpacked one at a time; null where this is not the entry of `key` whole and unchanged. */
function blocksOf(key: string, entry: Buffer): Iterable<Buffer> | null {
  const header = headerOf(key);
  const end = entry.length - digestBytes;
  if (end < header.length || !entry.subarray(0, header.length).equals(header)) return null;
  if (!hashOf(entry.subarray(0, end)).equals(entry.subarray(end))) return null;
  return unpacked(entry.subarray(header.length, end));
}

function* unpacked(blocks: Buffer): Generator<Buffer> {
  for (let at = 0; at < blocks.length; ) {
    const from = at + 4;
    at = from + blocks.readUInt32LE(at);
    yield zstdDecompressSync(blocks.subarray(from, at), { maxOutputLength: mostBytes });
  }
}

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
