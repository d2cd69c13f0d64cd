import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { YoloConfig } from './config.ts';
import { yoloBreach } from './rules.ts';

/** Which pictures data.yaml lists. */
export interface Listed {
  /** null: it lists none at all, so that every picture of the folder belongs to the set. */
  readonly has: ((picture: string) => boolean) | null;
  readonly findings: readonly Finding[];
}

const mostListBytes = 256 * 1024 * 1024;
/** Last parts of an entry that are looked at: no set lies deeper. */
const mostFolders = 64;

/** Resolves train, val and test: folders, or lists of pictures, wherever the set lay when they were written. */
export async function listedPictures(tree: SourceTree, config: YoloConfig): Promise<Listed> {
  if (config.splits.length === 0) return { has: null, findings: [] };
  const known = foldersOf(tree);
  const folders = new Set<string>();
  const pictures = new Set<string>();
  const findings: Finding[] = [];
  const absent = new Map(config.splits.map(({ split }): [string, string[]] => [split, []]));
  for (const { split, entry } of config.splits) {
    const place = placeOf(entry, config.root);
    const list = place.find((path) => tree.has(path));
    const folder = place.find((path) => known.has(path));
    if (list !== undefined) findings.push(...(await readList(tree, list, pictures)));
    else if (folder !== undefined) folders.add(folder);
    else absent.get(split)?.push(entry);
  }
  for (const [split, entries] of absent)
    if (entries.length > 0) findings.push(absentSplit(config.path, split, entries));
  const has = (picture: string) =>
    pictures.has(picture) || foldersAbove(picture).some((above) => folders.has(above));
  return { has: folders.size === 0 && pictures.size === 0 ? null : has, findings };
}

/** Where an entry may lie in this folder: below `path`, as written, then with ever fewer of its first folders. */
function placeOf(entry: string, root: string | null): string[] {
  const written = clean(entry);
  const below = root === null ? [] : suffixes([...clean(root), ...written]);
  return [...new Set([...below, ...suffixes(written)])];
}

function clean(path: string): string[] {
  const parts = path.replace(/\\/g, '/').split('/');
  return parts
    .filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part))
    .slice(-mostFolders);
}

const suffixes = (parts: readonly string[]): string[] =>
  parts.length === 0 ? [''] : parts.map((_, i) => parts.slice(i).join('/'));

/** Folders that hold files, at whatever depth; '' for the set itself. */
function foldersOf({ files }: SourceTree): Set<string> {
  const folders = new Set(['']);
  for (const { path } of files) for (const folder of foldersAbove(path)) folders.add(folder);
  return folders;
}

/** `a/b/c.jpg`: '', `a` and `a/b`. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i).join('/'));
}

async function readList(tree: SourceTree, path: string, pictures: Set<string>): Promise<Finding[]> {
  const lines = (await tree.text(path, mostListBytes)).split(/\r?\n/).filter((line) => line.trim() !== '');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const absent: string[] = [];
  for (const line of lines) {
    const parts = clean(line.trim());
    const found = [folder + parts.join('/'), ...suffixes(parts)].find((place) => tree.has(place));
    if (found === undefined) absent.push(line.trim());
    else pictures.add(found);
  }
  if (absent.length === 0) return [];
  return [
    {
      code: 'pictures_absent',
      severity: 'error',
      path,
      message: `${path} lists ${lines.length} pictures, ${absent.length} of them are not there (${absent.slice(0, 3).join(', ')})`,
      advice: 'restore the pictures, or drop their lines',
      evidence: { listed: lines.length, absent: absent.length },
    },
  ];
}

function absentSplit(path: string, split: string, entries: readonly string[]): Finding {
  const named =
    entries.length === 1
      ? `${entries[0]} for ${split}, which is`
      : `${entries.length} places for ${split} (${entries.slice(0, 3).join(', ')}${entries.length > 3 ? ', …' : ''}), which are`;
  const rule = split === 'test' ? 'yolo_test_absent' : 'yolo_split_absent';
  return yoloBreach(rule, path, `${path} names ${named} not in this folder`);
}
