import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { journalFolder } from '#formats/fix';

/** Hashes every name, mode and byte below a folder, except journals of fixes. */
export function treeHash(folder: string): string {
  const hash = createHash('sha256');
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).startsWith(journalFolder))
    .sort();
  for (const path of found) {
    const { mode } = statSync(path);
    hash.update(`${relative(folder, path)}\n${mode}\n`);
    if (statSync(path).isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}
