import type { FileEntry, SourceTree } from '#io/sources';

/** One minute of a route, and what lies in its folder. */
export interface Segment {
  /** Relative to the dataset's root; '' where that is the segment itself. */
  readonly folder: string;
  /** `b0c9d2329ad1606b|2018-08-02--08-34-47`; null where the folder above is not there to say it. */
  readonly route: string | null;
  /** Of its route; null where the folder's name is no number. */
  readonly number: number | null;
  /** Paths from the dataset's root. */
  readonly files: readonly FileEntry[];
}

/** Dongle and start of a route; where `|` could not be written, `_` stands for it. */
const routeName = /^([0-9a-f]{16})[|_](\d{4}-\d\d-\d\d--\d\d-\d\d-\d\d)$/;
/** The last folder of a segment's own, and what follows. */
const inside = /(?:^|\/)(?:processed_log\/(?:CAN|IMU|GNSS)\/[^/]+|global_pos(?:e)?)\/[^/]+$/;
const chunkName = /^(?:Chunk|Example)_\d+$/i;

/**
 * Folder of the segment that a file lies in, when the root is a segment, a route, a chunk or a folder of chunks; null:
 * it lies in none.
 */
export function segmentFolderOf(path: string): string | null {
  const found = inside.exec(path);
  if (found === null) return null;
  const folder = path.slice(0, found.index);
  const above = folder === '' ? [] : folder.split('/');
  if (above.length === 0) return folder;
  if (above.length > 3 || !/^\d+$/.test(above[above.length - 1])) return null;
  if (above.length >= 2 && !routeName.test(above[above.length - 2])) return null;
  return above.length < 3 || chunkName.test(above[0]) ? folder : null;
}

/** Segments below a root, in the order of chunk, route and number. */
export function segmentsOf(tree: SourceTree): Segment[] {
  const files = new Map<string, FileEntry[]>();
  for (const { path } of tree.files) {
    const folder = segmentFolderOf(path);
    if (folder !== null && !files.has(folder)) files.set(folder, []);
  }
  for (const file of tree.files) {
    for (let folder = file.path; folder !== ''; ) {
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
      const own = files.get(folder);
      if (own === undefined) continue;
      own.push(file);
      break;
    }
  }
  return [...files].map(([folder, own]) => segmentOf(folder, own)).sort(inOrder);
}

function segmentOf(folder: string, files: readonly FileEntry[]): Segment {
  const parts = folder.split('/');
  const number = /^\d+$/.test(parts[parts.length - 1]) ? Number(parts[parts.length - 1]) : null;
  const route = routeName.exec(parts[parts.length - 2] ?? '');
  return { folder, route: route === null ? null : `${route[1]}|${route[2]}`, number, files };
}

function inOrder(a: Segment, b: Segment): number {
  const [left, right] = [a, b].map(({ folder }) => folder.slice(0, Math.max(0, folder.lastIndexOf('/'))));
  if (left !== right) return left < right ? -1 : 1;
  return (a.number ?? 0) - (b.number ?? 0);
}
