import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** What reading and measuring is made of. */
const own = [
  'src/kernel',
  'src/episode',
  'src/sources',
  'src/formats',
  'src/media',
  'src/readiness',
  'src/report',
];
const others = ['src/work', 'src/processes', 'src/contract', 'packages'];

/**
 * Tells programs apart that may measure otherwise: by their own files, the libraries that are installed and the Node
 * that they run on. Nobody has to think of raising a number.
 */
export function programStamp(): string {
  const digest = createHash('sha256');
  digest.update(`${process.version} ${process.platform} ${process.arch}\n`);
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'])
    digest.update(`${name}\0${contentOf(join(root, name))}\n`);
  for (const folder of [...own, ...others])
    for (const path of filesOf(join(root, folder))) {
      const { size, mtimeMs } = statSync(path);
      digest.update(`${path}\0${size} ${mtimeMs}\n`);
    }
  return digest.digest('hex');
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function filesOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'));
    return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  } catch {
    return [];
  }
}
