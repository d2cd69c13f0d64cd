import type { Finding } from '#core/episode';
import type { RemoteEntry } from './remote-objects.ts';

export interface UsablePaths {
  readonly objects: ReadonlyMap<string, RemoteEntry>;
  readonly findings: readonly Finding[];
}

/** Objects whose names can stand as files below a folder; the others become findings. */
export function usablePaths(entries: readonly RemoteEntry[]): UsablePaths {
  const objects = new Map<string, RemoteEntry>();
  const findings: Finding[] = [];
  const report = (key: string, why: string): void => {
    findings.push({
      code: 'key_unusable',
      severity: 'warning',
      path: key,
      message: `the object ${JSON.stringify(key)} was left out: ${why}`,
      advice: 'give the object another key',
    });
  };
  for (const entry of entries) {
    const { path } = entry;
    // Consoles make an empty object to stand for a folder.
    if (path === '' || (path.endsWith('/') && entry.bytes === 0)) continue;
    if (isUnfit(path)) report(path, 'its key is no path');
    else objects.set(path, entry);
  }
  for (const folder of foldersOf(objects.keys())) {
    const both = objects.get(folder);
    if (both === undefined) continue;
    report(folder, 'other objects lie below it as if it were a folder');
    objects.delete(folder);
  }
  return { objects, findings };
}

function isUnfit(path: string): boolean {
  return (
    /[\p{Cc}\\]/u.test(path) || path.split('/').some((name) => name === '' || name === '.' || name === '..')
  );
}

function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
