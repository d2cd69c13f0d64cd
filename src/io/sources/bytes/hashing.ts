import { createHash } from 'node:crypto';
import type { SourceRef } from '#core/episode';
import type { ReadableFile } from '../byte-store.ts';
import type { SourceTree } from '../source-tree.ts';

/** Computes and caches SHA-256 hashes of the files of a tree; each file is read at most once. */
export interface FileHasher {
  /** SHA-256 in lower-case hexadecimal; null if the file is absent or cannot be read. */
  sha256(path: string): Promise<string | null>;
}

/** A hasher that reads nothing and always returns null. */
export const noHashes: FileHasher = { sha256: async () => null };

const blockBytes = 1024 * 1024;

/** Returns a hasher that computes the SHA-256 of each file of a tree once and remembers it. */
export function createFileHasher(tree: SourceTree): FileHasher {
  const pendingHashes = new Map<string, Promise<string | null>>();
  return {
    sha256: (path) => {
      let hash = pendingHashes.get(path);
      if (hash === undefined) {
        hash = tree.has(path) ? computeHash(tree, path).catch(() => null) : Promise.resolve(null);
        pendingHashes.set(path, hash);
      }
      return hash;
    },
  };
}

function computeHash(tree: SourceTree, path: string): Promise<string> {
  return tree.store === null ? hashFile(tree, path) : tree.store.sha256(tree.base + path);
}

/** Hashes a local file. The next block is read while the current one is hashed. */
async function hashFile(tree: SourceTree, path: string): Promise<string> {
  await using file = await tree.openFile(path);
  const digest = createHash('sha256');
  const size = Math.min(blockBytes, Math.max(tree.entry(path)?.bytes ?? blockBytes, 4096));
  let current = Buffer.allocUnsafe(size);
  let parallelHashes = Buffer.allocUnsafe(size);
  let position = 0;
  let pending = file.read(current, 0, size, position);
  for (;;) {
    const { bytesRead } = await pending;
    if (bytesRead === 0) return digest.digest('hex');
    position += bytesRead;
    pending = file.read(parallelHashes, 0, size, position);
    digest.update(current.subarray(0, bytesRead));
    [current, parallelHashes] = [parallelHashes, current];
  }
}

const readBlockBytes = 1024 * 1024;

/**
 * SHA-256 of a file that is read in pieces: pieces that arrive in order are hashed immediately, everything else is read
 * again by `digest`.
 */
export class IncrementalHash {
  readonly #hash = createHash('sha256');
  #hashed = 0;
  #digest: string | null = null;

  /** Adds a piece that was read at file position `position`; pieces behind a gap are ignored. */
  update(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (position > this.#hashed || end <= this.#hashed || this.#digest !== null) return;
    this.#hash.update(bytes.subarray(this.#hashed - position));
    this.#hashed = end;
  }

  /**
   * Returns the SHA-256 of the first `bytes` bytes of the file in lower-case hexadecimal; reads from `file` what was
   * not added in order.
   */
  async digest(file: ReadableFile, bytes: number): Promise<string> {
    if (this.#digest !== null) return this.#digest;
    const block = new Uint8Array(Math.min(readBlockBytes, Math.max(0, bytes - this.#hashed)));
    while (this.#hashed < bytes) {
      const length = Math.min(block.length, bytes - this.#hashed);
      const { bytesRead } = await file.read(block, 0, length, this.#hashed);
      if (bytesRead === 0) break;
      this.update(block.subarray(0, bytesRead), this.#hashed);
    }
    this.#digest = this.#hash.digest('hex');
    return this.#digest;
  }
}

/** Number of files hashed in parallel, so that reading one overlaps with hashing another. */
const ahead = 4;

/** A file that an episode was read from, before it is hashed. */
export interface UsedFile {
  readonly path: string;
  readonly role: SourceRef['role'];
}

/** Scope of hashing: all files, only pictures and videos, or none. */
export type HashScope = 'all' | 'media' | 'none';

/**
 * Chooses the hash scope for reader options: `none` for a look (preview) or if neither hashes nor copies are requested,
 * `media` if only hashes are off, else `all`.
 */
export function hashScope({
  hashes,
  copies,
  look,
}: {
  readonly hashes?: boolean;
  readonly copies?: boolean;
  readonly look?: boolean;
}): HashScope {
  if (look === true || (hashes === false && copies === false)) return 'none';
  return hashes === false ? 'media' : 'all';
}

/**
 * Returns the files of an episode as source references, in the same order; `sha256` is `null` for files outside of
 * `scope` and for files that cannot be read.
 */
export async function sourceRefs(
  tree: SourceTree,
  files: readonly UsedFile[],
  hasher: FileHasher,
  scope: HashScope,
): Promise<SourceRef[]> {
  const refs = new Array<SourceRef>(files.length);
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const index = next++;
      const { path, role } = files[index];
      const isInScope = scope === 'all' || (scope === 'media' && (role === 'video' || role === 'image'));
      const sha256 = isInScope ? await hasher.sha256(path) : null;
      refs[index] = { path, bytes: tree.entry(path)?.bytes ?? 0, sha256, role };
    }
  };
  await Promise.all(Array.from({ length: Math.min(ahead, files.length) }, work));
  return refs;
}
