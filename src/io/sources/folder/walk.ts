import { type Dirent, type Stats, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { AssayError, asUnreadable, limits } from '#core';
import type { Finding } from '#core/episode';
import { entryOf, type FileEntry } from './file-entry.ts';

export interface WalkLimits {
  readonly maxFiles: number;
  readonly maxDepth: number;
}

export interface Listing {
  readonly files: readonly FileEntry[];
  readonly findings: readonly Finding[];
  /** The path was one file. */
  readonly single: boolean;
}

const defaultLimits: WalkLimits = {
  maxFiles: limits.recordings.files.value,
  maxDepth: limits.recordings.folders_deep.value,
};

/** The metadata of zarr 2 has names of hidden files. */
const zarrMetadata: ReadonlySet<string> = new Set(['.zarray', '.zgroup', '.zattrs', '.zmetadata']);

/** What operating systems and archivers leave behind; never a recording. */
const litter = (name: string): boolean =>
  (name.startsWith('.') && !zarrMetadata.has(name)) ||
  name === '__MACOSX' ||
  name === 'lost+found' ||
  name === 'Thumbs.db' ||
  name === 'desktop.ini';

/**
 * Lists the regular files of a folder, or the one file named. Links are followed only to files and folders inside the
 * root, never twice to the same folder; what is left out becomes a finding.
 */
export async function walk(path: string, limits: Partial<WalkLimits> = {}): Promise<Listing> {
  const top = await stat(path).catch((thrown) => {
    throw asUnreadable(thrown, path, 'check the path for a typing error and that you may read it');
  });
  if (top.isFile()) return { files: [entryOf(basename(path), path, top)], findings: [], single: true };
  if (!top.isDirectory()) {
    throw new AssayError('unreadable_input', `${path} is neither a file nor a folder`, { path });
  }
  const walker = new Walker(await realpath(path), { ...defaultLimits, ...limits });
  await walker.folder(path, '', 0);
  walker.files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files: walker.files, findings: walker.findings, single: false };
}

/** The listing of a store under the same rules: no litter, no more files and folders deep than allowed, in order. */
export function listingOf(
  found: Omit<Listing, 'single'>,
  limits: Partial<WalkLimits> = {},
): Omit<Listing, 'single'> {
  const { maxFiles, maxDepth } = { ...defaultLimits, ...limits };
  const files: FileEntry[] = [];
  const tooDeep = new Set<string>();
  for (const file of found.files) {
    const names = file.path.split('/');
    if (names.some(litter)) continue;
    if (names.length - 1 > maxDepth) tooDeep.add(names.slice(0, maxDepth + 1).join('/'));
    else files.push(file);
  }
  if (files.length > maxFiles) throw tooMany(maxFiles, files[maxFiles].path);
  files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const findings = [...tooDeep].map((folder) => deepFinding(folder, maxDepth));
  return { files, findings: [...found.findings, ...findings] };
}

function deepFinding(path: string, maxDepth: number): Finding {
  return listFinding(
    'folder_too_deep',
    path,
    `${path} lies deeper than ${maxDepth} folders and was not read`,
  );
}

function listFinding(
  code: string,
  path: string,
  message: string,
  advice = 'check the folder; what is named here was left out',
): Finding {
  return { code, severity: 'warning', path, message, advice };
}

function tooMany(maxFiles: number, path: string): AssayError {
  return new AssayError('limit_exceeded', `more than ${maxFiles} files`, {
    path,
    advice: 'pass a smaller folder',
  });
}

const filesAtOnce = 256;

function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

class Walker {
  readonly files: FileEntry[] = [];
  readonly findings: Finding[] = [];
  readonly #seen = new Set<string>();
  readonly #real: string;
  readonly #limits: WalkLimits;

  constructor(real: string, limits: WalkLimits) {
    this.#real = real;
    this.#limits = limits;
  }

  async folder(absolute: string, relative: string, depth: number): Promise<void> {
    if (depth > this.#limits.maxDepth)
      return void this.findings.push(deepFinding(relative, this.#limits.maxDepth));
    const real = await realpath(absolute);
    if (this.#seen.has(real))
      return this.#report('link_loop', relative, `${relative} is a link to a folder already read`);
    this.#seen.add(real);
    const entries = await readdir(absolute, { withFileTypes: true }).catch((thrown) =>
      this.#closed(thrown, absolute, relative),
    );
    for (const entry of entries ?? []) {
      if (litter(entry.name)) continue;
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
      throw tooMany(this.#limits.maxFiles, relative);
    }
    if (entry.isDirectory()) return this.folder(absolute, relative, depth + 1);
    if (entry.isSymbolicLink()) return this.#link(absolute, relative, depth);
    if (entry.isFile()) await this.#file(absolute, relative);
  }

  /** Asked synchronously, ten times as fast for a million files; the event loop gets its turn every few hundred. */
  async #file(absolute: string, relative: string): Promise<void> {
    const info = statsOf(absolute);
    if (info === null) this.#report('file_vanished', relative, `${relative} could not be looked at`);
    else this.files.push(entryOf(relative, absolute, info));
    if (this.files.length % filesAtOnce === 0) await breathe();
  }

  async #link(absolute: string, relative: string, depth: number): Promise<void> {
    const target = await realpath(absolute).catch(() => null);
    if (target === null)
      return this.#report('link_broken', relative, `${relative} is a link to nothing, or to itself`);
    if (target !== this.#real && !target.startsWith(resolve(this.#real) + sep)) {
      return this.#report(
        'link_outside',
        relative,
        `${relative} links out of the folder and was not followed`,
        'pass the folder that holds both, or copy it with its links resolved (cp -rL)',
      );
    }
    const info = await stat(absolute);
    if (info.isDirectory()) return this.folder(absolute, relative, depth + 1);
    this.files.push(entryOf(relative, absolute, info));
  }

  #closed(thrown: unknown, absolute: string, relative: string): null {
    if (relative === '') throw asUnreadable(thrown, absolute, 'ask for permission to read the folder');
    const advice = 'ask for permission to read it (chmod -R a+rX), or copy what is in it';
    this.#report('folder_not_permitted', relative, `${relative} may not be read by this user`, advice);
    return null;
  }

  #report(code: string, path: string, message: string, advice?: string): void {
    this.findings.push(listFinding(code, path, message, advice));
  }
}
