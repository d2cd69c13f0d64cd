import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '#core';
import { exists, journalFolder, writeWhole } from './files.ts';

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

export type JournalEntry = z.infer<typeof entrySchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** One apply of fixes: its folder holds `manifest.json`, `before/` and, while it goes on, `after/`. */
export interface Journal {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

const manifestName = 'manifest.json';

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
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
