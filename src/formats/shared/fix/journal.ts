import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { AssayError } from '#core';
import type { FixPlan, PlannedFile } from './fix.ts';
import {
  backUpFile,
  exists,
  hashFile,
  journalFolder,
  moveFile,
  resolveInside,
  syncFile,
  syncFolder,
  writeAtomically,
} from './journal-files.ts';

/** Suffix of journal folders that are not in effect: not started yet, or being deleted. */
const stagingSuffix = '.staging';

/**
 * Changes the files of a dataset as planned and returns a new journal that retains the originals, so that the changes
 * can be undone.
 *
 * First writes every new file and a second link to every original into the journal and syncs them; after the manifest
 * is written, files are only renamed, so that a later process can finish after a crash.
 */
export async function applyPlan(plan: FixPlan, created: string): Promise<Journal> {
  const { root } = plan;
  const folder = join(root, journalFolder, created.replaceAll(':', '-'));
  const staging = `${folder}${stagingSuffix}`;
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
    const target = await resolveInside(root, file.path);
    entries.push(await stageFile(file, target, staging));
    for (const missing of await missingFolders(root, target)) folders.add(missing);
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

async function stageFile(file: PlannedFile, absolute: string, staging: string): Promise<JournalEntry> {
  const { path } = file;
  if (file.does === 'remove') return { path, does: 'remove', sha256_before: null, sha256_after: null };
  const after = join(staging, 'after', path);
  await mkdir(dirname(after), { recursive: true });
  await file.write(after);
  await syncFile(after);
  await syncFolder(dirname(after));
  const sha256_after = await hashFile(after);
  if (!(await exists(absolute))) return { path, does: 'create', sha256_before: null, sha256_after };
  const before = join(staging, 'before', path);
  await backUpFile(absolute, before);
  await syncFolder(dirname(before));
  return { path, does: 'replace', sha256_before: await hashFile(absolute), sha256_after };
}

async function missingFolders(root: string, absolute: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(absolute); !(await exists(folder)); folder = dirname(folder))
    missing.unshift(relative(root, folder));
  return missing;
}

/** Finishes an apply that was started. Idempotent. */
async function finishApply(root: string, { folder, manifest }: Journal): Promise<void> {
  for (const { path, does } of manifest.entries) {
    const absolute = await resolveInside(root, path);
    if (does === 'remove') {
      if (await exists(absolute)) await moveFile(absolute, join(folder, 'before', path));
      continue;
    }
    const after = join(folder, 'after', path);
    if (await exists(after)) await moveFile(after, absolute);
  }
  await rm(join(folder, 'after'), { recursive: true, force: true });
  await writeManifest(folder, { ...manifest, state: 'applied' });
}

/**
 * Restores every original.
 * @throws AssayError `conflict`, before anything is changed, if a file was modified after the fix.
 */
async function undo(root: string, { folder, manifest }: Journal): Promise<void> {
  for (const { path, does, sha256_after } of manifest.entries) {
    const absolute = await resolveInside(root, path);
    const now = does !== 'remove' && (await exists(absolute)) ? await hashFile(absolute) : null;
    if (now === sha256_after && !(does === 'remove' && (await exists(absolute)))) continue;
    throw new AssayError('conflict', `${path} was modified after it was fixed`, {
      path,
      advice: `undo by hand: the original files are in ${join(folder, 'before')}`,
    });
  }
  await writeManifest(folder, { ...manifest, state: 'undoing' });
  await finishUndo(root, { folder, manifest });
}

/** Finishes an undo that was started and deletes the journal. */
async function finishUndo(root: string, { folder, manifest }: Journal): Promise<void> {
  for (const { path, does } of manifest.entries.toReversed()) {
    const absolute = await resolveInside(root, path);
    const before = join(folder, 'before', path);
    if (does === 'create') await rm(absolute, { force: true });
    else if (await exists(before)) await moveFile(before, absolute);
  }
  for (const made of manifest.folders.toReversed())
    await rmdir(await resolveInside(root, made)).catch(() => undefined);
  await discard(folder);
}

/** Deletes a journal's folder. */
async function discard(folder: string): Promise<void> {
  const discarded = `${folder}${stagingSuffix}`;
  await rename(folder, discarded);
  await syncFolder(dirname(folder));
  await rm(discarded, { recursive: true, force: true });
}

const entrySchema = z.object({
  /** Relative to the dataset. */
  path: z.string(),
  does: z.enum(['replace', 'create', 'remove']),
  /** SHA-256 of the original file; `null` if there was none. */
  sha256_before: z.string().nullable(),
  /** SHA-256 of the new file; `null` if it is removed. */
  sha256_after: z.string().nullable(),
});

const manifestSchema = z.object({
  version: z.literal(1),
  created: z.string(),
  /** `applying` and `undoing` are unfinished and must be completed. */
  state: z.enum(['applying', 'applied', 'undoing']),
  changes: z.array(z.unknown()),
  /** Created folders, outermost first. */
  folders: z.array(z.string()),
  entries: z.array(entrySchema),
});

type JournalEntry = z.infer<typeof entrySchema>;
type Manifest = z.infer<typeof manifestSchema>;

/** Journal of one apply: its folder holds `manifest.json`, `before/` and, until finished, `after/`. */
export interface Journal {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

const manifestName = 'manifest.json';

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeAtomically(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the folders of the dataset's journals, oldest first. */
async function journalFolders(root: string): Promise<string[]> {
  const names = await readdir(join(root, journalFolder), { withFileTypes: true }).catch(() => []);
  return names
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, journalFolder, name))
    .sort();
}

/**
 * Reads a journal; `null` if it has no manifest, so was never started.
 * @throws AssayError `unreadable_input` if the manifest is invalid.
 */
async function readJournal(folder: string): Promise<Journal | null> {
  const path = join(folder, manifestName);
  if (!(await exists(path))) return null;
  const parsed = manifestSchema.safeParse(parseJson(await readFile(path, 'utf8')));
  if (parsed.success && parsed.data.entries.every((entry) => isInside(entry.path)))
    return { folder, manifest: parsed.data };
  throw new AssayError('unreadable_input', `${path} is not a valid journal of assay fix`, {
    path,
    advice: 'the original files are next to it in before/; restore them by hand',
  });
}

/** True if a manifest path stays inside the dataset; journals may come with a dataset and are not trusted. */
function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split(/[\\/]/).includes('..') && !path.includes('\0');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Result of `recover`: which unfinished operation was completed. */
export type RecoveryResult = 'nothing' | 'not_begun' | 'apply_finished' | 'undo_finished';

/**
 * Completes a fix or undo that a killed process left unfinished and returns which; journals that were only prepared are
 * deleted.
 */
export async function recover(root: string): Promise<RecoveryResult> {
  let recovered: RecoveryResult = 'nothing';
  for (const folder of await journalFolders(root)) {
    if (folder.endsWith(stagingSuffix)) {
      await rm(folder, { recursive: true, force: true });
      recovered = 'not_begun';
      continue;
    }
    const journal = await readJournal(folder);
    if (journal?.manifest.state === 'applying') {
      await finishApply(root, journal);
      recovered = 'apply_finished';
    } else if (journal?.manifest.state === 'undoing') {
      await finishUndo(root, journal);
      recovered = 'undo_finished';
    }
  }
  return recovered;
}

/**
 * Restores the files that the last fix changed, deletes its journal and returns it; throws `not_found` if there is
 * none, `conflict` if a file was modified since.
 */
export async function undoLast(root: string): Promise<Journal> {
  const folders = await journalFolders(root);
  const last = folders.at(-1);
  const journal = last === undefined ? null : await readJournal(last);
  if (journal === null)
    throw new AssayError('not_found', `nothing to undo: assay fix has not changed anything in ${root}`, {
      path: root,
      advice: 'check that this is the folder that you fixed',
    });
  await undo(root, journal);
  return journal;
}

/** Deletes the journals' folder if it is empty; otherwise does nothing. */
export async function removeEmptyJournalFolder(root: string): Promise<void> {
  await rmdir(join(root, journalFolder)).catch(() => undefined);
}
