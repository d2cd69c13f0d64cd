import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Finding } from '#episode';
import { AssayError, asUnreadable } from '#kernel';
import { type FileEntry, type WalkLimits, walk } from './walk.ts';

export type { FileEntry } from './walk.ts';

/** A folder (or one file) of a user, listed once and read through one door that never leaves it. */
export interface SourceTree {
  /** Absolute path of the folder all relative paths start from. */
  readonly root: string;
  /** As the user named it, for messages. */
  readonly label: string;
  /** Every regular file under the root, `/`-separated, sorted by UTF-16 code units. */
  readonly files: readonly FileEntry[];
  /** What listing met: links out of the root, folders without permission, limits reached. */
  readonly findings: readonly Finding[];
  has(path: string): boolean;
  entry(path: string): FileEntry | undefined;
  /** Absolute path for libraries that open files by name; refuses a path that is not listed. */
  absolute(path: string): string;
  /** The first bytes of a file, at most `length`. */
  head(path: string, length: number): Promise<Uint8Array>;
  /** A whole small file; `limit_exceeded` when it is larger than `maxBytes`. */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
  text(path: string, maxBytes?: number): Promise<string>;
  openFile(path: string): Promise<FileHandle>;
  /** The files below a folder of this tree, as a tree of its own; no second walk, and nothing copied until listed. */
  below(folder: string): SourceTree;
  /** The same root with only some of its files. */
  only(files: readonly FileEntry[]): SourceTree;
}

const wholeFileLimit = 64 * 1024 * 1024;

/** Lists `path`. Throws `not_found`, `not_permitted` with what to do. */
export async function openSourceTree(path: string, limits?: Partial<WalkLimits>): Promise<SourceTree> {
  const listing = await walk(path, limits);
  const root = listing.single ? dirname(path) : path;
  return createTree(root, path, indexOf(listing.files), '', listing.findings);
}

/** What a walk found; trees below share it. */
interface TreeIndex {
  readonly sorted: readonly FileEntry[];
  readonly byPath: ReadonlyMap<string, FileEntry>;
}

function indexOf(files: readonly FileEntry[]): TreeIndex {
  return { sorted: files, byPath: new Map(files.map((file) => [file.path, file])) };
}

/** A view of `index`: the files whose path starts with `prefix`, named without it. */
function createTree(
  root: string,
  label: string,
  index: TreeIndex,
  prefix: string,
  findings: readonly Finding[],
): SourceTree {
  let listed: readonly FileEntry[] | null = prefix === '' ? index.sorted : null;
  const entry = (path: string): FileEntry | undefined => {
    const found = index.byPath.get(prefix + path);
    return found === undefined || prefix === '' ? found : { path, bytes: found.bytes };
  };
  const absolute = (path: string): string => {
    if (!index.byPath.has(prefix + path)) {
      throw new AssayError('not_found', `there is no file ${path} in ${label}`, { path });
    }
    return join(root, path);
  };
  const openFile = (path: string) => open(absolute(path), 'r').catch(rethrow(path));
  const read = async (path: string, maxBytes = wholeFileLimit): Promise<Uint8Array> => {
    const size = entry(path)?.bytes ?? 0;
    if (size > maxBytes) {
      throw new AssayError('limit_exceeded', `${path} is ${size} bytes; at most ${maxBytes} are read whole`, {
        path,
      });
    }
    return readFile(absolute(path)).catch(rethrow(path));
  };
  return {
    root,
    label,
    get files() {
      listed ??= strip(index.sorted, prefix);
      return listed;
    },
    findings,
    has: (path) => index.byPath.has(prefix + path),
    entry,
    absolute,
    head: async (path, length) => {
      await using file = await openFile(path);
      const { buffer, bytesRead } = await file
        .read(new Uint8Array(length), 0, length, 0)
        .catch(rethrow(path));
      return buffer.subarray(0, bytesRead);
    },
    read,
    text: async (path, maxBytes) => decodeText(await read(path, maxBytes)),
    openFile,
    below: (folder) => createTree(join(root, folder), join(label, folder), index, `${prefix}${folder}/`, []),
    only: (files) => createTree(root, label, indexOf(files), '', findings),
  };
}

/** UTF-8 without a byte order mark; bytes that are not UTF-8 become U+FFFD. */
function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

/** Sorted by code units, the files of a folder lie one behind the other. */
function strip(files: readonly FileEntry[], prefix: string): FileEntry[] {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (files[middle].path < prefix) low = middle + 1;
    else high = middle;
  }
  const found: FileEntry[] = [];
  for (let at = low; at < files.length && files[at].path.startsWith(prefix); at++) {
    found.push({ path: files[at].path.slice(prefix.length), bytes: files[at].bytes });
  }
  return found;
}

const rethrow = (path: string) => (thrown: unknown) => {
  throw asUnreadable(thrown, path, `check that ${basename(path)} exists and that you may read it`);
};
