import type { SourceTree } from '#io/sources';
import { readZipDirectory } from '../shared/arrays/zip-directory.ts';
import { folderOf } from '../shared/file-names.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { findPrefix, realRobotPrefix } from './store.ts';

/** Metadata files that only replay buffers have, in zarr 2 and 3. */
const markFiles = ['meta/episode_ends/.zarray', 'meta/episode_ends/zarr.json'];

/**
 * Recognises replay buffers in folders by the metadata of `meta/episode_ends`, and in zips by their directory; `null`
 * if there is none.
 */
export async function recogniseZarr(tree: SourceTree): Promise<Recognition | null> {
  const evidence: string[] = [];
  const roots = new Set<string>();
  const zips: string[] = [];
  for (const { path } of tree.files) {
    const root = findRoot(path);
    if (root !== null) {
      roots.add(root);
      evidence.push(`${path} declares where episodes end`);
    } else if (isZipName(path)) zips.push(path);
  }
  const files =
    roots.size === 0 ? [] : tree.files.map(({ path }) => path).filter((path) => isInside(path, roots));
  for (const path of zips) {
    const found = await findMarkInZip(tree, path);
    if (found === null || isInside(path, roots)) continue;
    files.push(path);
    evidence.push(`${path} contains ${found}`);
  }
  return files.length === 0 ? null : { format: 'zarr', evidence, files };
}

/** Returns true if a file belongs to one of the roots: everything in a zarr, and the videos beside one. */
function isInside(path: string, roots: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
    const folder = end < 0 ? '' : path.slice(0, end + 1);
    if (roots.has(folder)) return true;
    if (end <= 0) return roots.has('');
  }
}

async function findMarkInZip(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, 4).catch(() => new Uint8Array(0));
  if (Buffer.from(head).toString('latin1') !== 'PK\x03\x04') return null;
  const file = await tree.openFile(path);
  try {
    const { members } = await readZipDirectory(file, tree.entry(path)?.bytes ?? 0, path);
    const names = [...members.keys()];
    for (const mark of markFiles) {
      const prefix = findPrefix(names, mark);
      if (prefix !== null) return `${prefix}${mark}`;
    }
    return null;
  } catch {
    // A zip that is named as a zarr but cut off is recognised, so that opening it reports the damage.
    return /\.zarr\.zip$/i.test(path) ? 'no zip directory at its end, but its name says zarr' : null;
  } finally {
    await file.close();
  }
}

/** Divides recognised files into one dataset per replay buffer: each folder and each zip. */
export function divideZarr({ evidence, files }: Recognition): readonly DividedRecognition[] {
  const roots = new Set((files ?? []).flatMap((path) => findRoot(path) ?? []));
  const zips = (files ?? []).filter((path) => isZipName(path) && !isInside(path, roots));
  const evidenceOf = (start: string, from: number) =>
    evidence.filter((line) => line.startsWith(start)).map((line) => line.slice(from));
  const toPart = (folder: string, partFiles: readonly string[] | null, lines: readonly string[]) => ({
    folder: folder.replace(/\/$/, ''),
    recognition: { format: 'zarr', evidence: lines, files: partFiles },
  });
  return [
    ...[...roots].map((root) => toPart(root, null, evidenceOf(root, root.length))),
    ...zips.map((path) => {
      const folder = folderOf(path);
      const start = folder === '' ? 0 : folder.length + 1;
      return toPart(folder, [path.slice(start)], evidenceOf(`${path} `, start));
    }),
  ];
}

/**
 * Returns the folder of the replay buffer if the file is its mark, with `/` at its end or empty; `null` for other
 * files.
 */
function findRoot(path: string): string | null {
  const mark = markFiles.find((candidate) => path === candidate || path.endsWith(`/${candidate}`));
  if (mark === undefined) return null;
  const buffer = path.slice(0, path.length - mark.length);
  return buffer.endsWith(realRobotPrefix) ? buffer.slice(0, -realRobotPrefix.length) : buffer;
}

function isZipName(path: string): boolean {
  return path.toLowerCase().endsWith('.zip');
}
