import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { AssayError } from '#core';
import type { FixPlan, PlannedFile } from '../fix.ts';
import {
  exists,
  hashOf,
  journalFolder,
  keep,
  move,
  placeOf,
  syncFile,
  syncFolder,
  writeWhole,
} from './files.ts';

/** A journal whose folder ends so was not begun, or is done with: nothing of the dataset hangs on it. */
export const unbegun = '.staging';

/**
 * Writes what a plan says. First every new file and a second name of every original lie in the journal and on disk; from
 * the manifest on, files are only renamed, and whoever comes after a crash goes on with that.
 */
export async function applyPlan(plan: FixPlan, created: string): Promise<Journal> {
  const { root } = plan;
  const folder = join(root, journalFolder, created.replaceAll(':', '-'));
  const staging = `${folder}${unbegun}`;
  await mkdir(staging, { recursive: true });
  const manifest = await prepare(plan, staging, created);
  await rename(staging, folder);
  await syncFolder(dirname(folder));
  const journal = { folder, manifest };
  await finishApply(root, journal);
  return journal;
}

async function prepare(plan: FixPlan, staging: string, created: string): Promise<Manifest> {
  try {
    const manifest = await stage(plan, staging, created);
    await writeManifest(staging, manifest);
    return manifest;
  } catch (thrown) {
    await rm(staging, { recursive: true, force: true });
    throw thrown;
  }
}

async function stage({ root, changes, files }: FixPlan, staging: string, created: string): Promise<Manifest> {
  const entries: JournalEntry[] = [];
  const folders = new Set<string>();
  for (const file of files) {
    const place = await placeOf(root, file.path);
    entries.push(await stageFile(file, place, staging));
    for (const made of await missingFolders(root, place)) folders.add(made);
  }
  return {
    version: 1,
    created,
    state: 'applying',
    changes: [...changes],
    folders: [...folders],
    entries,
  };
}

async function stageFile(file: PlannedFile, place: string, staging: string): Promise<JournalEntry> {
  const { path } = file;
  if (file.does === 'remove') return { path, does: 'remove', sha256_before: null, sha256_after: null };
  const after = join(staging, 'after', path);
  await mkdir(dirname(after), { recursive: true });
  await file.write(after);
  await syncFile(after);
  await syncFolder(dirname(after));
  const sha256_after = await hashOf(after);
  if (!(await exists(place))) return { path, does: 'create', sha256_before: null, sha256_after };
  const before = join(staging, 'before', path);
  await keep(place, before);
  await syncFolder(dirname(before));
  return { path, does: 'replace', sha256_before: await hashOf(place), sha256_after };
}

async function missingFolders(root: string, place: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(place); !(await exists(folder)); folder = dirname(folder))
    missing.unshift(relative(root, folder));
  return missing;
}

/** Does what is left of an apply that was begun; doing it again changes nothing. */
export async function finishApply(root: string, { folder, manifest }: Journal): Promise<void> {
  for (const { path, does } of manifest.entries) {
    const place = await placeOf(root, path);
    if (does === 'remove') {
      if (await exists(place)) await move(place, join(folder, 'before', path));
      continue;
    }
    const after = join(folder, 'after', path);
    if (await exists(after)) await move(after, place);
  }
  await rm(join(folder, 'after'), { recursive: true, force: true });
  await writeManifest(folder, { ...manifest, state: 'applied' });
}

/** Puts every original back. Throws `conflict` where a file was changed since, before anything is touched. */
export async function undo(root: string, { folder, manifest }: Journal): Promise<void> {
  for (const { path, does, sha256_after } of manifest.entries) {
    const place = await placeOf(root, path);
    const now = does !== 'remove' && (await exists(place)) ? await hashOf(place) : null;
    if (now === sha256_after && !(does === 'remove' && (await exists(place)))) continue;
    throw new AssayError('conflict', `${path} was changed after it was fixed`, {
      path,
      advice: `undo by hand: what was there before lies in ${join(folder, 'before')}`,
    });
  }
  await writeManifest(folder, { ...manifest, state: 'undoing' });
  await finishUndo(root, { folder, manifest });
}

/** Does what is left of an undo that was begun, and takes the journal away. */
export async function finishUndo(root: string, { folder, manifest }: Journal): Promise<void> {
  for (const { path, does } of manifest.entries.toReversed()) {
    const place = await placeOf(root, path);
    const before = join(folder, 'before', path);
    if (does === 'create') await rm(place, { force: true });
    else if (await exists(before)) await move(before, place);
  }
  for (const made of manifest.folders.toReversed())
    await rmdir(await placeOf(root, made)).catch(() => undefined);
  await discard(folder);
}

/** Takes a journal's folder away, and the folder of all journals where it was the last. */
async function discard(folder: string): Promise<void> {
  const gone = `${folder}${unbegun}`;
  await rename(folder, gone);
  await syncFolder(dirname(folder));
  await rm(gone, { recursive: true, force: true });
}

const entrySchema = z.object({
  /** Relative to the dataset. */
  path: z.string(),
  does: z.enum(['replace', 'create', 'remove']),
  /** Of the file that lay there; null where there was none. */
  sha256_before: z.string().nullable(),
  /** Of the file that lies there now; null where there is none. */
  sha256_after: z.string().nullable(),
});

const manifestSchema = z.object({
  version: z.literal(1),
  created: z.string(),
  /** `applying` and `undoing` were begun and are to be finished. */
  state: z.enum(['applying', 'applied', 'undoing']),
  changes: z.array(z.unknown()),
  /** Folders that were made, outermost first. */
  folders: z.array(z.string()),
  entries: z.array(entrySchema),
});

type JournalEntry = z.infer<typeof entrySchema>;
type Manifest = z.infer<typeof manifestSchema>;

/** One apply of fixes: its folder holds `manifest.json`, `before/` and, while it goes on, `after/`. */
export interface Journal {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

const manifestName = 'manifest.json';

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeWhole(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Folders of the dataset's journals, oldest first. */
export async function journalFolders(root: string): Promise<string[]> {
  const names = await readdir(join(root, journalFolder), { withFileTypes: true }).catch(() => []);
  return names
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, journalFolder, name))
    .sort();
}

/** Null where there is no manifest: it was never begun. */
export async function readJournal(folder: string): Promise<Journal | null> {
  const path = join(folder, manifestName);
  if (!(await exists(path))) return null;
  const parsed = manifestSchema.safeParse(jsonOf(await readFile(path, 'utf8')));
  if (parsed.success && parsed.data.entries.every((entry) => isInside(entry.path)))
    return { folder, manifest: parsed.data };
  throw new AssayError('unreadable_input', `${path} is no journal of assay fix`, {
    path,
    advice: 'the originals lie beside it in before/; put them back by hand',
  });
}

/** A journal may have come with the dataset: it names no place outside. */
function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split(/[\\/]/).includes('..') && !path.includes('\0');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
