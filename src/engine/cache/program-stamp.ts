import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders with code that affects measurements. */
const folders = ['src/core', 'src/io', 'src/formats', 'src/quality', 'src/engine', 'packages'];

/**
 * Returns a SHA-256 over everything that may change a measurement: size and time of each source file, the installed
 * libraries, the version of Node and the platform. Cached measurements of another stamp are not used, so no cache
 * version has to be bumped by hand.
 */
export function programStamp(): string {
  const digest = createHash('sha256');
  digest.update(`${process.version} ${process.platform} ${process.arch}\n`);
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'])
    digest.update(`${name}\0${contentOf(join(root, name))}\n`);
  for (const folder of folders)
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

/** Location and version of the measurement cache for one assessment. Plain data; may be sent between threads. */
export interface CacheLocation {
  readonly folder: string;
  /** Stamp of the program; see `programStamp`. */
  readonly program: string;
  /** Start of the assessment (`Date.now()`). Files changed since then are not cached. */
  readonly started_ms: number;
}
