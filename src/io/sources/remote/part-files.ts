import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { blobFolderError } from '#core';
import type { ByteRange, PartialFile } from '../byte-store.ts';
import type { ReadRange } from './range-file.ts';

/** Number of sparse files to keep even if unused, because episodes of one file are read one after the other. */
const maxFiles = 12;

/** Bytes fetched and written at a time. */
const pieceBytes = 4 * 1024 * 1024;

interface PartFile {
  readonly created: Promise<void>;
  parts: ByteRange[];
  users: number;
}

/**
 * Sparse local copies of remote files below a folder: full size, with only the fetched byte ranges filled in; the rest
 * reads as zeros.
 */
export class PartialFiles {
  readonly root: string;
  readonly #files = new Map<string, PartFile>();

  constructor(root: string) {
    this.root = root;
  }

  /** Returns the sparse copy of a file of `bytes` bytes, creating it if needed; `read` fetches missing ranges. */
  async acquire(path: string, bytes: number, read: ReadRange): Promise<PartialFile> {
    const target = join(this.root, path);
    let file = this.#files.get(path);
    if (file === undefined) file = { created: createSparseFile(target, bytes), parts: [], users: 0 };
    else this.#files.delete(path);
    // Re-inserted, so that the map is ordered by last use.
    this.#files.set(path, file);
    file.users += 1;
    await file.created;
    const partFile = file;
    return {
      root: this.root,
      parts: () => partFile.parts,
      fetch: async (parts) => {
        await Promise.all(parts.map((part) => fetchPart(target, partFile, part, read)));
      },
      release: async () => {
        partFile.users -= 1;
        await this.#removeUnused();
      },
    };
  }

  async #removeUnused(): Promise<void> {
    for (const [path, { users }] of [...this.#files]) {
      if (this.#files.size <= maxFiles) return;
      if (users > 0) continue;
      this.#files.delete(path);
      await rm(join(this.root, path), { force: true });
    }
  }
}

async function createSparseFile(target: string, bytes: number): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
    await using file = await open(target, 'w', 0o600);
    await file.truncate(bytes);
  } catch (thrown) {
    throw blobFolderError(thrown, target);
  }
}

async function fetchPart(
  target: string,
  partFile: PartFile,
  [from, to]: ByteRange,
  read: ReadRange,
): Promise<void> {
  for (let at = from; at < to; at += pieceBytes) {
    const bytes = await read(at, Math.min(pieceBytes, to - at));
    try {
      await using file = await open(target, 'r+');
      await file.write(bytes, 0, bytes.length, at);
    } catch (thrown) {
      throw blobFolderError(thrown, target);
    }
    partFile.parts = mergeRange(partFile.parts, [at, at + bytes.length]);
  }
}

/** Adds a range to ascending ranges and merges ranges that touch or overlap. */
function mergeRange(parts: readonly ByteRange[], added: ByteRange): ByteRange[] {
  const all: [number, number][] = [];
  for (const [from, to] of [...parts, added].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
