import type { FileEntry, SourceTree } from '#io/sources';

/** One segment (a minute of a route) and its files. */
export interface Segment {
  /** Path relative to the dataset's root; '' if the root is the segment itself. */
  readonly folder: string;
  /** Route name, `b0c9d2329ad1606b|2018-08-02--08-34-47`; `null` if no parent folder has it. */
  readonly route: string | null;
  /** Number of the segment in its route; `null` if the folder's name is not a number. */
  readonly number: number | null;
  /** Files of the segment, with paths relative to the dataset's root. */
  readonly files: readonly FileEntry[];
}

/** Dongle id and start time of a route; `_` replaces `|` on file systems that do not allow it. */
const routeName = /^([0-9a-f]{16})[|_](\d{4}-\d\d-\d\d--\d\d-\d\d-\d\d)$/;
/** Path of a file inside a segment, from the last folder that belongs to the segment. */
const signalFile = /(?:^|\/)(?:processed_log\/(?:CAN|IMU|GNSS)\/[^/]+|global_pos(?:e)?)\/[^/]+$/;
const chunkName = /^(?:Chunk|Example)_\d+$/i;

/**
 * Returns the folder of the segment that a file belongs to ('' for the root), or `null` if it belongs to none. The root
 * may be a segment, a route, a chunk or a folder of chunks.
 */
export function segmentFolderOf(path: string): string | null {
  const found = signalFile.exec(path);
  if (found === null) return null;
  const folder = path.slice(0, found.index);
  const folders = folder === '' ? [] : folder.split('/');
  if (folders.length === 0) return folder;
  if (folders.length > 3 || !/^\d+$/.test(folders[folders.length - 1])) return null;
  if (folders.length >= 2 && !routeName.test(folders[folders.length - 2])) return null;
  return folders.length < 3 || chunkName.test(folders[0]) ? folder : null;
}

/** Finds all segments of a tree, sorted by chunk, route and number. */
export function findSegments(tree: SourceTree): Segment[] {
  const files = new Map<string, FileEntry[]>();
  for (const { path } of tree.files) {
    const folder = segmentFolderOf(path);
    if (folder !== null && !files.has(folder)) files.set(folder, []);
  }
  for (const file of tree.files) {
    for (let folder = file.path; folder !== ''; ) {
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
      const segmentFiles = files.get(folder);
      if (segmentFiles === undefined) continue;
      segmentFiles.push(file);
      break;
    }
  }
  return [...files].map(([folder, segmentFiles]) => buildSegment(folder, segmentFiles)).sort(compareSegments);
}

function buildSegment(folder: string, files: readonly FileEntry[]): Segment {
  const parts = folder.split('/');
  const number = /^\d+$/.test(parts[parts.length - 1]) ? Number(parts[parts.length - 1]) : null;
  const route = routeName.exec(parts[parts.length - 2] ?? '');
  return { folder, route: route === null ? null : `${route[1]}|${route[2]}`, number, files };
}

function compareSegments(a: Segment, b: Segment): number {
  const [parentA, parentB] = [a, b].map(({ folder }) =>
    folder.slice(0, Math.max(0, folder.lastIndexOf('/'))),
  );
  if (parentA !== parentB) return parentA < parentB ? -1 : 1;
  return (a.number ?? 0) - (b.number ?? 0);
}
