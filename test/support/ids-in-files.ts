import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the ids of the rows that the source files of a folder declare, sorted: every `id: '…'` at the first level of an
 * object. Tests compare them with a registry, so that nobody forgets to register a row.
 */
export function idsInFiles(folder: string, isRowFile: (name: string) => boolean = () => true): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && isRowFile(name))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/^ {2}id: '([^']+)'/gm)])
    .map(([, id]) => id)
    .sort();
}
