import { open, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AssayError, asUnreadable } from '#core';
import type { Finding } from '#core/episode';
import type { ByteStore, FilePlace, HeldFiles, ReadableFile, RecordingsSource } from './byte-store.ts';
import type { FileEntry } from './folder/file-entry.ts';
import { type Listing, listingOf, type WalkLimits, walk } from './folder/walk.ts';

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
  /** The store it lies in; null on this machine. */
  readonly store: ByteStore | null;
  /** The root as a path of the store, with a `/` behind; '' for the store itself. */
  readonly base: string;
  /** Absolute path for libraries that open files by name; refuses a path that is not listed. In a store: while held. */
  absolute(path: string): string;
  /** The first bytes of a file, at most `length`. */
  head(path: string, length: number): Promise<Uint8Array>;
  /** A whole small file; `limit_exceeded` when it is larger than `maxBytes`. */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
  text(path: string, maxBytes?: number): Promise<string>;
  openFile(path: string): Promise<ReadableFile>;
  /** Has files there by name until they are released; on this machine they always are. */
  hold(paths: readonly string[]): Promise<HeldFiles>;
  /** The same for a file of which only the last `length` bytes will be read. */
  holdEnd(path: string, length: number): Promise<HeldFiles>;
  /** The files below a folder of this tree, as a tree of its own; no second walk, and nothing copied until listed. */
  below(folder: string): SourceTree;
  /** The same root with only some of its files. */
  only(files: readonly FileEntry[]): SourceTree;
}

const wholeFileLimit = 64 * 1024 * 1024;

/** Lists recordings. Throws `not_found`, `not_permitted`, `storage_unavailable` with what to do. */
export async function openSourceTree(
  source: RecordingsSource,
  limits?: Partial<WalkLimits>,
): Promise<SourceTree> {
  if (typeof source !== 'string') {
    const { files, findings } = listingOf(await source.list(), limits);
    const { root, label } = source;
    const place = { root, label, source, store: source, base: '' };
    return createTree(place, indexOf(files), '', findings);
  }
  const { place, listing } = await FolderFiles.open(source, limits);
  const { root, label } = place;
  const here = { root, label, source: place, store: null, base: '' };
  return createTree(here, indexOf(listing.files), '', listing.findings);
}

/** Where a tree's root lies. */
interface Place {
  readonly root: string;
  readonly label: string;
  readonly source: FilePlace;
  /** The same where it is no folder of this machine. */
  readonly store: ByteStore | null;
  /** The root as a path of the store, with a `/` behind; '' for the store itself. */
  readonly base: string;
}

function placeBelow({ root, label, source, store, base }: Place, folder: string): Place {
  const name = store === null ? join(label, folder) : `${label.replace(/\/$/, '')}/${folder}`;
  return { root: join(root, folder), label: name, source, store, base: `${base}${folder}/` };
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
  place: Place,
  index: TreeIndex,
  prefix: string,
  findings: readonly Finding[],
): SourceTree {
  const { root, label, source, store, base } = place;
  let listed: readonly FileEntry[] | null = prefix === '' ? index.sorted : null;
  const entry = (path: string): FileEntry | undefined => {
    const found = index.byPath.get(prefix + path);
    return found === undefined || prefix === '' ? found : { ...found, path };
  };
  const absolute = (path: string): string => {
    if (!index.byPath.has(prefix + path)) {
      throw new AssayError('not_found', `there is no file ${path} in ${label}`, { path });
    }
    return join(root, path);
  };
  const openFile = (path: string): Promise<ReadableFile> => {
    absolute(path);
    return source.open(base + path).catch(rethrow(path));
  };
  const read = async (path: string, maxBytes = wholeFileLimit): Promise<Uint8Array> => {
    const size = entry(path)?.bytes ?? 0;
    if (size > maxBytes) {
      throw new AssayError('limit_exceeded', `${path} is ${size} bytes; at most ${maxBytes} are read whole`, {
        path,
      });
    }
    absolute(path);
    return source.read(base + path, size).catch(rethrow(path));
  };
  return {
    root,
    label,
    get files() {
      listed ??= strip(index.sorted, prefix);
      return listed;
    },
    findings,
    store,
    base,
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
    hold: async (paths) => {
      const { release } = await source.hold(
        paths.flatMap((path) => (index.byPath.has(prefix + path) ? [base + path] : [])),
      );
      return { absolute, release };
    },
    holdEnd: (path, length) => source.holdEnd(base + path, length),
    below: (folder) =>
      createTree(placeBelow(place, folder), index, `${prefix}${folder}/`, findingsBelow(findings, folder)),
    only: (files) => createTree(place, indexOf(files), '', findings),
  };
}

/** Of what lies in a folder, with its place from there on. */
function findingsBelow(findings: readonly Finding[], folder: string): Finding[] {
  const start = `${folder}/`;
  return findings.flatMap((finding) =>
    finding.path?.startsWith(start) === true ? [{ ...finding, path: finding.path.slice(start.length) }] : [],
  );
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
    found.push({ ...files[at], path: files[at].path.slice(prefix.length) });
  }
  return found;
}

const rethrow = (path: string) => (thrown: unknown) => {
  throw asUnreadable(thrown, path, `check that ${basename(path)} exists and that you may read it`);
};

/** Recordings in a folder of this machine, or one file of it: by name whenever somebody asks. */
class FolderFiles implements FilePlace {
  readonly label: string;
  readonly root: string;

  private constructor(label: string, root: string) {
    this.label = label;
    this.root = root;
  }

  /** Walks the folder; throws `not_found`, `not_permitted`, `limit_exceeded`. */
  static async open(
    path: string,
    limits?: Partial<WalkLimits>,
  ): Promise<{ readonly place: FolderFiles; readonly listing: Listing }> {
    const listing = await walk(path, limits);
    return { place: new FolderFiles(path, listing.single ? dirname(path) : path), listing };
  }

  open(path: string): Promise<ReadableFile> {
    return open(join(this.root, path), 'r');
  }

  /** All there is now, which may be more than was listed. */
  read(path: string): Promise<Uint8Array> {
    return readFile(join(this.root, path));
  }

  hold(): Promise<HeldFiles> {
    return Promise.resolve({ absolute: (path) => join(this.root, path), release: async () => {} });
  }

  holdEnd(path: string): Promise<HeldFiles> {
    return Promise.resolve({ absolute: () => join(this.root, path), release: async () => {} });
  }
}
