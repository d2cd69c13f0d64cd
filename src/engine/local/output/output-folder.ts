import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { AssayError } from '#core';
import { makeFolder } from '#io/sources';
import { unwritable, writeWhole } from '../../steps/judge/receipt-files.ts';

const marker = 'assay-output.json';
/** What an earlier run may have written; nothing else in the folder is ever touched. */
const ours = [
  'receipts',
  'report',
  'index.html',
  'assets',
  'data',
  'assessment.json',
  'report.json',
  'report.html',
  'policy.json',
  'bundle.zip',
  'card',
  'videos',
  marker,
];

/**
 * Refuses what cannot become the folder of receipts and report, before anything is read or written: a file, a place that
 * may not be written to, a folder with other things in it, or one within the recordings. `source`:
 * null where the recordings are not on this machine. Throws `usage`.
 */
export function checkOutputFolder(out: string, source: string | null): void {
  if (source !== null) refuseOverlap(out, source);
  const there = demandPlace(out);
  if (there !== null && there.length > 0 && !there.includes(marker)) {
    throw new AssayError('usage', `${out} is not empty and holds no earlier assessment`, {
      path: out,
      advice: 'name a new or an empty folder',
    });
  }
}

/** What is in a folder that is to be written, null where there is none yet. Throws `usage` where there can be none. */
export function demandPlace(out: string): readonly string[] | null {
  const there = listing(out);
  const nearest = nearestThere(out);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    if (there === null) tryFolderIn(nearest);
  } catch (thrown) {
    throw unusable(thrown, out, nearest);
  }
  return there;
}

/**
 * Makes `out` ready for receipts and a report: a new or empty folder, or one that an earlier run wrote, which is
 * emptied of what that run wrote. Anything else is refused, so that nobody's files are mixed with ours.
 */
export function prepareOutputFolder(out: string, source: string | null): void {
  checkOutputFolder(out, source);
  try {
    makeFolder(resolve(out));
    for (const name of ours) if (name !== marker) rmSync(join(out, name), { recursive: true, force: true });
  } catch (thrown) {
    throw unusable(thrown, out, out);
  }
  writeWhole(join(out, marker), '{"written_by":"assay assess"}\n');
}

/** Some file systems, as /proc, let anybody write and take no folders. */
function tryFolderIn(folder: string): void {
  const tried = join(folder, `.assay-${process.pid}`);
  mkdirSync(tried);
  rmdirSync(tried);
}

/** Null where there is nothing yet. */
function listing(out: string): string[] | null {
  try {
    return readdirSync(out);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw unusable(thrown, out, out);
  }
}

/** The folder itself, or the nearest one above that is there. */
function nearestThere(out: string): string {
  const absolute = resolve(out);
  const above = dirname(absolute);
  return above === absolute || existsSync(absolute) ? absolute : nearestThere(above);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'is a file, or lies below one',
  EEXIST: 'is a file, or lies below one',
  EACCES: 'may not be written to by this user',
  EPERM: 'may not be written to by this user',
  EROFS: 'lies on a file system that is mounted read-only',
  ENAMETOOLONG: 'is too long a name',
  ELOOP: 'leads in a circle of links',
  ENOENT: 'cannot be made there',
};

/** A place that was named wrongly is the command's fault; a disk that is full is not. */
export function unusable(thrown: unknown, out: string, where: string): AssayError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const reason = reasons[code];
  if (reason === undefined) return unwritable(thrown, out);
  const by = resolve(where) === resolve(out) ? '' : ` (${where} does not allow it)`;
  return new AssayError('usage', `${out} ${reason}${by}`, {
    path: out,
    advice: 'name a new or an empty folder that you may write to',
    cause: thrown,
  });
}

export function refuseOverlap(out: string, source: string): void {
  const from = real(source);
  const to = real(out);
  const holdsSource = within(from, to);
  if (!holdsSource && !within(to, from)) return;
  throw new AssayError(
    'usage',
    holdsSource ? `${out} holds the recordings` : `${out} lies inside the recordings`,
    { path: out, advice: 'name a folder beside the recordings, so that the next run does not read this one' },
  );
}

function within(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && resolve(folder, way) === path);
}

/** The path without links, as far as it exists. */
function real(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = resolve(absolute, '..');
    return parent === absolute ? absolute : join(real(parent), absolute.slice(parent.length));
  }
}
