import { accessSync, constants, type Dirent, type Stats, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { AssayError, limits, systemCode, wrapReadError } from '#core';
import type { Finding } from '#core/episode';

/** Limits of listing a folder. */
export interface WalkLimits {
  readonly maxFiles: number;
  readonly maxDepth: number;
}

/** The listed files of a folder, sorted by path, with findings about what was left out. */
export interface Listing {
  readonly files: readonly FileEntry[];
  readonly findings: readonly Finding[];
  /** True if the path was a single file. */
  readonly single: boolean;
}

const defaultLimits: WalkLimits = {
  maxFiles: limits.recordings.files.value,
  maxDepth: limits.recordings.folders_deep.value,
};

/** Metadata files of Zarr 2, which are named like hidden files. */
const zarrMetadata: ReadonlySet<string> = new Set(['.zarray', '.zgroup', '.zattrs', '.zmetadata']);

/** Returns true for files that operating systems and archivers create, which are never recordings. */
const isSystemFile = (name: string): boolean =>
  (name.startsWith('.') && !zarrMetadata.has(name)) ||
  name === '__MACOSX' ||
  name === 'lost+found' ||
  name === 'Thumbs.db' ||
  name === 'desktop.ini';

/**
 * Lists the regular files of a folder recursively, sorted by path, or a single file; throws `not_found`,
 * `not_permitted` or `unreadable_input` for the path itself and `limit_exceeded` for too many files.
 *
 * Symbolic links are followed only to targets inside the root, and never twice to the same folder; everything left out
 * is reported as a finding.
 */
export async function walk(path: string, limits: Partial<WalkLimits> = {}): Promise<Listing> {
  const top = await stat(path).catch((thrown) => {
    throw wrapReadError(thrown, path, 'check the path for typos, and that you have read permission');
  });
  if (top.isFile())
    return { files: [createFileEntry(basename(path), path, top)], findings: [], single: true };
  if (!top.isDirectory()) {
    throw new AssayError('unreadable_input', `${path} is neither a file nor a folder`, { path });
  }
  const walker = new Walker(await realpath(path), { ...defaultLimits, ...limits });
  await walker.folder(path, '', 0);
  walker.files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files: walker.files, findings: walker.findings, single: false };
}

/**
 * Returns the listing of a remote store sorted by path, without system files and folders that are too deep; throws
 * `limit_exceeded` if there are too many files. `walk` does the same for folders.
 */
export function filterListing(
  found: Omit<Listing, 'single'>,
  limits: Partial<WalkLimits> = {},
): Omit<Listing, 'single'> {
  const { maxFiles, maxDepth } = { ...defaultLimits, ...limits };
  const files: FileEntry[] = [];
  const tooDeep = new Set<string>();
  for (const file of found.files) {
    const names = file.path.split('/');
    if (names.some(isSystemFile)) continue;
    if (names.length - 1 > maxDepth) tooDeep.add(names.slice(0, maxDepth + 1).join('/'));
    else files.push(file);
  }
  if (files.length > maxFiles) throw tooManyFilesError(maxFiles, files[maxFiles].path);
  files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const findings = [...tooDeep].map((folder) => tooDeepFinding(folder, maxDepth));
  return { files, findings: [...found.findings, ...findings] };
}

function tooDeepFinding(path: string, maxDepth: number): Finding {
  return listFinding(
    'folder_too_deep',
    path,
    `${path} is nested more than ${maxDepth} folders deep and was not read`,
  );
}

function listFinding(
  code: string,
  path: string,
  message: string,
  advice = 'check the folder; the items listed here were skipped',
): Finding {
  return { code, severity: 'warning', path, message, advice };
}

function tooManyFilesError(maxFiles: number, path: string): AssayError {
  return new AssayError('limit_exceeded', `more than ${maxFiles} files`, {
    path,
    advice: 'pass a smaller folder',
  });
}

const filesPerYield = 256;

function tryStat(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

class Walker {
  readonly files: FileEntry[] = [];
  readonly findings: Finding[] = [];
  readonly #visitedFolders = new Set<string>();
  readonly #realRoot: string;
  readonly #limits: WalkLimits;

  constructor(real: string, limits: WalkLimits) {
    this.#realRoot = real;
    this.#limits = limits;
  }

  async folder(absolute: string, relative: string, depth: number): Promise<void> {
    if (depth > this.#limits.maxDepth)
      return void this.findings.push(tooDeepFinding(relative, this.#limits.maxDepth));
    const real = await realpath(absolute);
    if (this.#visitedFolders.has(real))
      return this.#report('link_loop', relative, `${relative} links to a folder that was already read`);
    this.#visitedFolders.add(real);
    const entries = await readdir(absolute, { withFileTypes: true }).catch((thrown) =>
      this.#reportUnreadable(thrown, absolute, relative),
    );
    for (const entry of entries ?? []) {
      if (isSystemFile(entry.name)) continue;
      await this.#entry(
        entry,
        join(absolute, entry.name),
        relative === '' ? entry.name : `${relative}/${entry.name}`,
        depth,
      );
    }
  }

  async #entry(entry: Dirent, absolute: string, relative: string, depth: number): Promise<void> {
    if (this.files.length >= this.#limits.maxFiles) {
      throw tooManyFilesError(this.#limits.maxFiles, relative);
    }
    if (entry.isDirectory()) return this.folder(absolute, relative, depth + 1);
    if (entry.isSymbolicLink()) return this.#link(absolute, relative, depth);
    if (entry.isFile()) await this.#file(absolute, relative);
  }

  /**
   * Adds a file. `statSync` is ten times as fast as `stat` for a million files; the event loop gets a turn every 256
   * files.
   */
  async #file(absolute: string, relative: string): Promise<void> {
    const info = tryStat(absolute);
    if (info === null) this.#report('file_vanished', relative, `cannot access ${relative}`);
    else this.files.push(createFileEntry(relative, absolute, info));
    if (this.files.length % filesPerYield === 0) await breathe();
  }

  async #link(absolute: string, relative: string, depth: number): Promise<void> {
    const target = await realpath(absolute).catch(() => null);
    if (target === null) return this.#report('link_broken', relative, `${relative} is a broken link`);
    if (target !== this.#realRoot && !target.startsWith(resolve(this.#realRoot) + sep)) {
      return this.#report(
        'link_outside',
        relative,
        `${relative} links to a target outside the folder and was not followed`,
        'pass a folder that contains both, or copy it with links resolved (cp -rL)',
      );
    }
    const info = await stat(absolute);
    if (info.isDirectory()) return this.folder(absolute, relative, depth + 1);
    this.files.push(createFileEntry(relative, absolute, info));
  }

  #reportUnreadable(thrown: unknown, absolute: string, relative: string): null {
    if (relative === '') throw wrapReadError(thrown, absolute, 'get read permission for the folder');
    const advice = 'get read permission (chmod -R a+rX), or copy the contents';
    this.#report('folder_not_permitted', relative, `no permission to read ${relative}`, advice);
    return null;
  }

  #report(code: string, path: string, message: string, advice?: string): void {
    this.findings.push(listFinding(code, path, message, advice));
  }
}

/** A listed file. */
export interface FileEntry {
  /** Relative to the tree's root, `/`-separated. */
  readonly path: string;
  readonly bytes: number;
  /** Set if this user may not read the file; absent if it is readable or was not checked. */
  readonly closed?: true;
}

const worldReadable = 0o444;

/**
 * Creates the entry of a listed file. Permission is checked with the system only for files that are not world-readable.
 */
function createFileEntry(path: string, absolute: string, { size, mode }: Stats): FileEntry {
  const open = (mode & worldReadable) === worldReadable || mayRead(absolute);
  return open ? { path, bytes: size } : { path, bytes: size, closed: true };
}

/**
 * Returns false only if permission is denied; a missing file counts as readable, because opening it reports the error.
 */
export function mayRead(absolute: string): boolean {
  try {
    accessSync(absolute, constants.R_OK);
    return true;
  } catch (thrown) {
    return systemCode(thrown) !== 'EACCES';
  }
}
