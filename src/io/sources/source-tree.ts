import { open, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AssayError, wrapReadError } from '#core';
import type { Finding } from '#core/episode';
import type { ByteStore, FileStorage, LocalFiles, ReadableFile, RecordingsSource } from './byte-store.ts';
import { type FileEntry, filterListing, type Listing, type WalkLimits, walk } from './folder/walk.ts';

/**
 * The files of a folder (or a single file) of the user, listed once. All reading goes through it, so nothing outside of
 * the folder can be read.
 */
export interface SourceTree {
  /** Absolute path of the folder to which all paths are relative. */
  readonly root: string;
  /** Name of the root as the user wrote it, for messages. */
  readonly label: string;
  /** All regular files below the root with `/`-separated paths, sorted by UTF-16 code units. */
  readonly files: readonly FileEntry[];
  /** Findings of listing: links that leave the root, folders without permission, reached limits. */
  readonly findings: readonly Finding[];
  /** True if the path is a listed file; false for folders. */
  has(path: string): boolean;
  /** Returns the listed file at a path; `undefined` if there is none. */
  entry(path: string): FileEntry | undefined;
  /** The remote store of the files; null for local files. */
  readonly store: ByteStore | null;
  /** Path of the root in the store with a trailing `/`; '' for the root of the store. */
  readonly base: string;
  /**
   * Returns the absolute local path of a listed file, for libraries that open files by name. In remote storage it
   * exists only while the file is acquired. Throws `not_found` for a path that is not listed.
   */
  absolute(path: string): string;
  /** Reads the first bytes of a file, at most `length`. */
  head(path: string, length: number): Promise<Uint8Array>;
  /** Reads a whole small file. Throws `limit_exceeded` if it is larger than `maxBytes` (default 64 MiB). */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** Reads a small file as UTF-8 text; throws `limit_exceeded` if it is larger than `maxBytes` (default 64 MiB). */
  text(path: string, maxBytes?: number): Promise<string>;
  /** Opens a listed file for reading by position; the caller closes it. */
  openFile(path: string): Promise<ReadableFile>;
  /**
   * Makes files available under their local paths until they are released; paths that are not listed are ignored. Local
   * files are always available.
   */
  acquire(paths: readonly string[]): Promise<LocalFiles>;
  /** Makes a file available of which only the last `length` bytes will be read. */
  acquireTail(path: string, length: number): Promise<LocalFiles>;
  /** Returns the files below a folder as a tree with paths relative to it, without walking the folder again. */
  subtree(folder: string): SourceTree;
  /** Returns a tree with the same root and only the given files. */
  restrictTo(files: readonly FileEntry[]): SourceTree;
}

const maxWholeFileBytes = 64 * 1024 * 1024;

/**
 * Lists the files of a local path or a remote store as a tree, sorted by path, without reading contents; throws
 * `not_found`, `not_permitted`, `limit_exceeded` or `storage_unavailable`, with advice.
 */
export async function openSourceTree(
  source: RecordingsSource,
  limits?: Partial<WalkLimits>,
): Promise<SourceTree> {
  if (typeof source !== 'string') {
    const { files, findings } = filterListing(await source.list(), limits);
    const { root, label } = source;
    const treeRoot = { root, label, source, store: source, base: '' };
    return createTree(treeRoot, buildIndex(files), '', findings);
  }
  const { folder: treeRoot, listing } = await FolderFiles.open(source, limits);
  const { root, label } = treeRoot;
  const here = { root, label, source: treeRoot, store: null, base: '' };
  return createTree(here, buildIndex(listing.files), '', listing.findings);
}

/** Location of the root of a tree. */
interface TreeRoot {
  readonly root: string;
  readonly label: string;
  readonly source: FileStorage;
  /** The remote store; null for local files. */
  readonly store: ByteStore | null;
  /** Path of the root in the store with a trailing `/`; '' for the root of the store. */
  readonly base: string;
}

function subfolderRoot({ root, label, source, store, base }: TreeRoot, folder: string): TreeRoot {
  const name = store === null ? join(label, folder) : `${label.replace(/\/$/, '')}/${folder}`;
  return { root: join(root, folder), label: name, source, store, base: `${base}${folder}/` };
}

/** Listed files, shared by all subtrees. */
interface TreeIndex {
  readonly sorted: readonly FileEntry[];
  readonly byPath: ReadonlyMap<string, FileEntry>;
}

function buildIndex(files: readonly FileEntry[]): TreeIndex {
  return { sorted: files, byPath: new Map(files.map((file) => [file.path, file])) };
}

/** Creates a tree of the files of `index` whose path starts with `prefix`; paths in the tree omit the prefix. */
function createTree(
  treeRoot: TreeRoot,
  index: TreeIndex,
  prefix: string,
  findings: readonly Finding[],
): SourceTree {
  const { root, label, source, store, base } = treeRoot;
  let listed: readonly FileEntry[] | null = prefix === '' ? index.sorted : null;
  const entry = (path: string): FileEntry | undefined => {
    const found = index.byPath.get(prefix + path);
    return found === undefined || prefix === '' ? found : { ...found, path };
  };
  const absolute = (path: string): string => {
    if (!index.byPath.has(prefix + path)) {
      throw new AssayError('not_found', `file not found in ${label}: ${path}`, { path });
    }
    return join(root, path);
  };
  const openFile = (path: string): Promise<ReadableFile> => {
    absolute(path);
    return source.open(base + path).catch(rethrowUnreadable(path));
  };
  const read = async (path: string, maxBytes = maxWholeFileBytes): Promise<Uint8Array> => {
    const size = entry(path)?.bytes ?? 0;
    if (size > maxBytes) {
      throw new AssayError(
        'limit_exceeded',
        `${path} has ${size} bytes; at most ${maxBytes} can be read at once`,
        {
          path,
        },
      );
    }
    absolute(path);
    return source.read(base + path, size).catch(rethrowUnreadable(path));
  };
  return {
    root,
    label,
    get files() {
      listed ??= entriesBelow(index.sorted, prefix);
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
        .catch(rethrowUnreadable(path));
      return buffer.subarray(0, bytesRead);
    },
    read,
    text: async (path, maxBytes) => decodeText(await read(path, maxBytes)),
    openFile,
    acquire: async (paths) => {
      const { release } = await source.acquire(
        paths.flatMap((path) => (index.byPath.has(prefix + path) ? [base + path] : [])),
      );
      return { absolute, release };
    },
    acquireTail: (path, length) => source.acquireTail(base + path, length),
    subtree: (folder) =>
      createTree(
        subfolderRoot(treeRoot, folder),
        index,
        `${prefix}${folder}/`,
        findingsBelow(findings, folder),
      ),
    restrictTo: (files) => createTree(treeRoot, buildIndex(files), '', findings),
  };
}

/** Returns the findings about paths inside a folder, with paths relative to it. */
function findingsBelow(findings: readonly Finding[], folder: string): Finding[] {
  const start = `${folder}/`;
  return findings.flatMap((finding) =>
    finding.path?.startsWith(start) === true ? [{ ...finding, path: finding.path.slice(start.length) }] : [],
  );
}

/** Decodes UTF-8 without its byte order mark; invalid bytes become U+FFFD. */
function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

/**
 * Returns the files whose path starts with `prefix`, without it. They are consecutive because files are sorted by code
 * units.
 */
function entriesBelow(files: readonly FileEntry[], prefix: string): FileEntry[] {
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

const rethrowUnreadable = (path: string) => (thrown: unknown) => {
  throw wrapReadError(thrown, path, `check that ${basename(path)} exists and that you have read permission`);
};

/** Recordings in a local folder, or a single local file. */
class FolderFiles implements FileStorage {
  readonly label: string;
  readonly root: string;

  private constructor(label: string, root: string) {
    this.label = label;
    this.root = root;
  }

  /** Lists the folder. Throws `not_found`, `not_permitted`, `limit_exceeded`. */
  static async open(
    path: string,
    limits?: Partial<WalkLimits>,
  ): Promise<{ readonly folder: FolderFiles; readonly listing: Listing }> {
    const listing = await walk(path, limits);
    return { folder: new FolderFiles(path, listing.single ? dirname(path) : path), listing };
  }

  open(path: string): Promise<ReadableFile> {
    return open(join(this.root, path), 'r');
  }

  /** Reads the whole current file, which may be longer than listed. */
  read(path: string): Promise<Uint8Array> {
    return readFile(join(this.root, path));
  }

  acquire(): Promise<LocalFiles> {
    return Promise.resolve({ absolute: (path) => join(this.root, path), release: async () => {} });
  }

  acquireTail(path: string): Promise<LocalFiles> {
    return Promise.resolve({ absolute: () => join(this.root, path), release: async () => {} });
  }
}
