import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Folders that packages are looked for in; what a package exports does not limit which of its files are read. */
const places = createRequire(import.meta.url).resolve.paths('a') ?? [];

/** A file of an installed package; null: it is not there. */
export function bundledPath(library: string, file: string): string | null {
  for (const place of places) {
    const path = join(place, library, ...file.split('/'));
    if (existsSync(path)) return path;
  }
  return null;
}
