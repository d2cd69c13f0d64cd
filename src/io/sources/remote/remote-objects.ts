import type { Finding } from '#core/episode';

/** Objects by path, and findings about those that were left out. */
export interface UsablePaths {
  readonly objects: ReadonlyMap<string, RemoteEntry>;
  readonly findings: readonly Finding[];
}

/**
 * Returns the objects whose keys are valid relative file paths by path; others are left out with a finding, empty
 * objects that stand for folders silently.
 */
export function usablePaths(entries: readonly RemoteEntry[]): UsablePaths {
  const objects = new Map<string, RemoteEntry>();
  const findings: Finding[] = [];
  const report = (key: string, why: string): void => {
    findings.push({
      code: 'key_unusable',
      severity: 'warning',
      path: key,
      message: `the object ${JSON.stringify(key)} was skipped: ${why}`,
      advice: 'rename the object',
    });
  };
  for (const entry of entries) {
    const { path } = entry;
    // S3 consoles create an empty object to represent a folder.
    if (path === '' || (path.endsWith('/') && entry.bytes === 0)) continue;
    if (isInvalidPath(path)) report(path, 'its key is not a valid path');
    else objects.set(path, entry);
  }
  for (const folder of collectFolders(objects.keys())) {
    const both = objects.get(folder);
    if (both === undefined) continue;
    report(folder, 'other objects use its key as a folder');
    objects.delete(folder);
  }
  return { objects, findings };
}

function isInvalidPath(path: string): boolean {
  return (
    /[\p{Cc}\\]/u.test(path) || path.split('/').some((name) => name === '' || name === '.' || name === '..')
  );
}

function collectFolders(paths: Iterable<string>): Set<string> {
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

/** A file of a remote store in one version. */
export interface RemoteEntry {
  /** Path relative to the opened location. */
  readonly path: string;
  readonly bytes: number;
  /** Version tag; changes when the file is rewritten. */
  readonly etag: string;
  /** SHA-256 in hexadecimal if the listing contains it. Files that are downloaded whole are checked against it. */
  readonly sha256?: string | null;
}

/** Access to the files of a remote store. Paths are relative to the opened location. */
export interface RemoteObjects {
  /** Name of the store as the user would write it, for messages. */
  readonly label: string;
  /** Unique name of the store in the cache. */
  readonly store_id: string;
  /** Path of the only file if the location is a single file, else null. */
  readonly singleFile: string | null;
  /** True if files can be read by ranges; else only whole, by `readWhole`. */
  readonly ranges: boolean;
  /** True if videos with a known hash may be fetched in parts; else videos are fetched whole. */
  readonly parts_of_video: boolean;
  list(): AsyncIterable<RemoteEntry>;
  /** Returns the entry of one file. Throws `not_found`, `storage_unavailable`. */
  entry(path: string): Promise<RemoteEntry>;
  /**
   * Reads `length` bytes from `offset` of this version of the file; fewer at its end. `once`: the caller stores the
   * bytes itself, so they are not cached.
   */
  read(entry: RemoteEntry, offset: number, length: number, how?: 'once'): Promise<Uint8Array>;
  /** Streams the whole file. */
  readWhole(entry: RemoteEntry): AsyncIterable<Uint8Array>;
  /** Returns the SHA-256 in hexadecimal; null if the store does not know it. */
  sha256(entry: RemoteEntry): Promise<string | null>;
  close(): void;
}
