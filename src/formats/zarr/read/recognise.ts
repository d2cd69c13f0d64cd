import type { SourceTree } from '#io/sources';
import { folderOf } from '../../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../../shared/reader.ts';
import { besideVideos, prefixOf } from './open-store.ts';
import { readZipDirectory } from './zip-directory.ts';

/** Metadata that only a replay buffer has, in version 2 and in version 3. */
const marks = ['meta/episode_ends/.zarray', 'meta/episode_ends/zarr.json'];

/** Folders by the metadata of `meta/episode_ends`, zips by their directory. */
export async function recogniseZarr(tree: SourceTree): Promise<Recognition | null> {
  const evidence: string[] = [];
  const roots = new Set<string>();
  const zips: string[] = [];
  for (const { path } of tree.files) {
    const root = rootOf(path);
    if (root !== null) {
      roots.add(root);
      evidence.push(`${path} says where episodes end`);
    } else if (isZipName(path)) zips.push(path);
  }
  const files =
    roots.size === 0 ? [] : tree.files.map(({ path }) => path).filter((path) => liesIn(path, roots));
  for (const path of zips) {
    const found = await markInZip(tree, path);
    if (found === null || liesIn(path, roots)) continue;
    files.push(path);
    evidence.push(`${path} holds ${found}`);
  }
  return files.length === 0 ? null : { format: 'zarr', evidence, files };
}

/** Its own files of a folder: all of a zarr, and the videos beside one. */
function liesIn(path: string, roots: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
    const folder = end < 0 ? '' : path.slice(0, end + 1);
    if (roots.has(folder)) return true;
    if (end <= 0) return roots.has('');
  }
}

async function markInZip(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, 4).catch(() => new Uint8Array(0));
  if (Buffer.from(head).toString('latin1') !== 'PK\x03\x04') return null;
  const file = await tree.openFile(path);
  try {
    const { members } = await readZipDirectory(file, tree.entry(path)?.bytes ?? 0, path);
    const names = [...members.keys()];
    for (const mark of marks) {
      const prefix = prefixOf(names, mark);
      if (prefix !== null) return `${prefix}${mark}`;
    }
    return null;
  } catch {
    // A zip that calls itself a zarr and was cut off is opened, and then says what is wrong with it.
    return /\.zarr\.zip$/i.test(path) ? 'no directory at its end, and its name says zarr' : null;
  } finally {
    await file.close();
  }
}

/** A buffer a dataset: folders as a whole, zips alone. */
export function divideZarr({ evidence, files }: Recognition): readonly DividedRecognition[] {
  const roots = new Set((files ?? []).flatMap((path) => rootOf(path) ?? []));
  const zips = (files ?? []).filter((path) => isZipName(path) && !liesIn(path, roots));
  const said = (start: string, from: number) =>
    evidence.filter((line) => line.startsWith(start)).map((line) => line.slice(from));
  const part = (folder: string, own: readonly string[] | null, lines: readonly string[]) => ({
    folder: folder.replace(/\/$/, ''),
    recognition: { format: 'zarr', evidence: lines, files: own },
  });
  return [
    ...[...roots].map((root) => part(root, null, said(root, root.length))),
    ...zips.map((path) => {
      const folder = folderOf(path);
      const start = folder === '' ? 0 : folder.length + 1;
      return part(folder, [path.slice(start)], said(`${path} `, start));
    }),
  ];
}

/** The folder of the set that a file marks as one, with `/` at its end; null for any other file. */
function rootOf(path: string): string | null {
  const mark = marks.find((one) => path === one || path.endsWith(`/${one}`));
  if (mark === undefined) return null;
  const buffer = path.slice(0, path.length - mark.length);
  return buffer.endsWith(besideVideos) ? buffer.slice(0, -besideVideos.length) : buffer;
}

function isZipName(path: string): boolean {
  return path.toLowerCase().endsWith('.zip');
}
