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
import { basename, dirname, join, relative, resolve } from 'node:path';
import { AssayError } from '#core';
import { makeFolder } from '#io/sources';
import type { Recordings } from '../../open-recordings.ts';
import { unwritableError, writeAtomically } from '../../steps/judge/receipt-files.ts';

const marker = 'assay-output.json';
/** Names that an earlier run may have written; nothing else in the folder is touched. */
const outputNames = [
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
 * Throws `usage` unless `out` can become the output folder: writable, new, empty or of an earlier assessment, and neither
 * inside the recordings nor around them.
 * `source`: path of the recordings; null if they are remote.
 */
export function checkOutputFolder(out: string, source: string | null): void {
  if (source !== null) requireNoOverlap(out, source);
  const there = requireWritable(out);
  if (there !== null && there.length > 0 && !there.includes(marker)) {
    throw new AssayError('usage', `${out} is not empty and does not contain an earlier assessment`, {
      path: out,
      advice: 'choose a new or empty folder',
    });
  }
}

/** Returns the names in an output folder, null if it does not exist yet; throws `usage` if it cannot be created or written. */
export function requireWritable(out: string): readonly string[] | null {
  const there = listFolder(out);
  const nearest = nearestExisting(out);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    if (there === null) probeFolder(nearest);
  } catch (thrown) {
    throw unusablePathError(thrown, out, nearest);
  }
  return there;
}

/**
 * Creates `out`, or removes the output of an earlier assessment from it, and marks it as an output folder; throws as
 * `checkOutputFolder`.
 */
export function prepareOutputFolder(out: string, source: string | null): void {
  checkOutputFolder(out, source);
  try {
    makeFolder(resolve(out));
    for (const name of outputNames)
      if (name !== marker) rmSync(join(out, name), { recursive: true, force: true });
  } catch (thrown) {
    throw unusablePathError(thrown, out, out);
  }
  writeAtomically(join(out, marker), '{"written_by":"assay assess"}\n');
}

/** Tests whether folders can be created; /proc, for example, allows writing but no folders. */
function probeFolder(folder: string): void {
  const tried = join(folder, `.assay-${process.pid}`);
  mkdirSync(tried);
  rmdirSync(tried);
}

/** Returns the names in a folder; null if it does not exist. Throws if it cannot be read. */
function listFolder(out: string): string[] | null {
  try {
    return readdirSync(out);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw unusablePathError(thrown, out, out);
  }
}

/** Returns the folder itself, or its nearest existing parent. */
function nearestExisting(out: string): string {
  const absolute = resolve(out);
  const above = dirname(absolute);
  return above === absolute || existsSync(absolute) ? absolute : nearestExisting(above);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'is a file, or inside a path that is a file',
  EEXIST: 'is a file, or inside a path that is a file',
  EACCES: 'is not writable for this user',
  EPERM: 'is not writable for this user',
  EROFS: 'is on a read-only file system',
  ENAMETOOLONG: 'is too long a path',
  ELOOP: 'contains a loop of symbolic links',
  ENOENT: 'cannot be created',
};

/**
 * Returns the error to throw for a file system error: `usage` for a wrong path, `output_unwritable` for anything else (such as
 * a full disk).
 */
export function unusablePathError(thrown: unknown, out: string, where: string): AssayError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const reason = reasons[code];
  if (reason === undefined) return unwritableError(thrown, out);
  const by = resolve(where) === resolve(out) ? '' : ` (no write permission in ${where})`;
  return new AssayError('usage', `${out} ${reason}${by}`, {
    path: out,
    advice: 'choose a new or empty folder with write permission',
    cause: thrown,
  });
}

/** Throws `usage` if the output folder and the recordings are the same or one is inside the other, with links resolved. */
export function requireNoOverlap(out: string, source: string): void {
  const from = resolveLinks(source);
  const to = resolveLinks(out);
  const holdsSource = isWithin(from, to);
  if (!holdsSource && !isWithin(to, from)) return;
  throw new AssayError(
    'usage',
    holdsSource ? `${out} contains the recordings` : `${out} is inside the recordings folder`,
    {
      path: out,
      advice:
        'choose a folder outside the folder of the recordings, so that the next run does not read the output as input',
    },
  );
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && resolve(folder, way) === path);
}

/** Returns the path with links resolved, as far as it exists. */
function resolveLinks(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = resolve(absolute, '..');
    return parent === absolute ? absolute : join(resolveLinks(parent), absolute.slice(parent.length));
  }
}

/** Returns the last component of the recordings' path, address or prefix, as report title. */
export function recordingsTitle(path: Recordings): string {
  if (typeof path === 'string') return basename(resolve(path));
  if (path.kind === 'web') return basename(path.label.replace(/@[0-9a-f]+$/, ''));
  return basename(path.kind === 'folder' ? path.path : path.prefix);
}
