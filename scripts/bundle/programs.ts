import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** `new URL('./worker.ts', import.meta.url)`: a program of a thread or process, a folder or a file that the code opens. */
const place = /new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g;

/** Files that the code refers to by path instead of importing them. */
export interface NamedPlaces {
  /** Threads and child processes: source file by name in the bundle. */
  readonly programs: ReadonlyMap<string, string>;
  /** Files and folders that are read: source path by name in the bundle. */
  readonly assets: ReadonlyMap<string, string>;
}

/** Finds every program and asset that the sources name by a place; `root` is the project's folder. */
export function namedPlaces(root: string): NamedPlaces {
  const programs = new Map<string, string>();
  const assets = new Map<string, string>();
  for (const file of sourcesBelow(join(root, 'src')))
    for (const [, path] of readFileSync(file, 'utf8').matchAll(place)) {
      const target = join(dirname(file), path);
      if (!existsSync(target)) throw new Error(`${relative(root, file)} names ${path}, which is not there`);
      if (target === root) continue;
      if (target.endsWith('.ts')) programs.set(target, bundledName(root, target));
      else assets.set(target, bundledName(root, target));
    }
  return { programs, assets };
}

/** A module with its places named as they are in the bundle, where all modules lie in one folder. */
export function withBundledPlaces(root: string, file: string, code: string): string {
  return code.replaceAll(place, (whole, path: string) => {
    const target = join(dirname(file), path);
    return target === root ? whole : `new URL('./${bundledName(root, target)}', import.meta.url)`;
  });
}

/** `src/store/pglite-thread.ts` is `store-pglite-thread.js`; what is no module keeps its path below `assets`. */
function bundledName(root: string, path: string): string {
  const inner = relative(join(root, 'src'), path).replaceAll('\\', '/');
  return path.endsWith('.ts') ? `${inner.slice(0, -3).replaceAll('/', '-')}.js` : `assets/${inner}`;
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}
