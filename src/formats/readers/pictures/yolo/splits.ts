import type { Finding } from '#episode';
import type { SourceTree } from '../../../bytes/source-tree.ts';
import type { YoloConfig } from './config.ts';

/** Which pictures data.yaml lists. */
export interface Listed {
  /** null: it lists none at all, so that every picture of the folder belongs to the set. */
  readonly has: ((picture: string) => boolean) | null;
  readonly findings: readonly Finding[];
}

const mostListBytes = 256 * 1024 * 1024;

/** Resolves train, val and test: folders, or lists of pictures, wherever the set lay when they were written. */
export async function listedPictures(tree: SourceTree, config: YoloConfig): Promise<Listed> {
  if (config.splits.length === 0) return { has: null, findings: [] };
  const folders: string[] = [];
  const pictures = new Set<string>();
  const findings: Finding[] = [];
  for (const { split, entry } of config.splits) {
    const place = placeOf(entry, config.root);
    const list = place.find((path) => tree.has(path));
    const folder = place.find((path) => holdsFiles(tree, path));
    if (list !== undefined) findings.push(...(await readList(tree, list, pictures)));
    else if (folder !== undefined) folders.push(folder === '' ? '' : `${folder}/`);
    else findings.push(absentSplit(config.path, split, entry));
  }
  const has = (picture: string) =>
    pictures.has(picture) || folders.some((folder) => picture.startsWith(folder));
  return { has: folders.length === 0 && pictures.size === 0 ? null : has, findings };
}

/** Where an entry may lie in this folder: below `path`, as written, then with ever fewer of its first folders. */
function placeOf(entry: string, root: string | null): string[] {
  const written = clean(entry);
  const below = root === null ? [] : suffixes([...clean(root), ...written]);
  return [...new Set([...below, ...suffixes(written)])];
}

function clean(path: string): string[] {
  const parts = path.replace(/\\/g, '/').split('/');
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part));
}

const suffixes = (parts: readonly string[]): string[] =>
  parts.length === 0 ? [''] : parts.map((_, i) => parts.slice(i).join('/'));

function holdsFiles(tree: SourceTree, folder: string): boolean {
  return folder === '' || tree.files.some(({ path }) => path.startsWith(`${folder}/`));
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

function absentSplit(path: string, split: string, entry: string): Finding {
  return {
    code: 'yolo_split_absent',
    // Training does without a test split.
    severity: split === 'test' ? 'warning' : 'error',
    path,
    message: `${path} names ${entry} for ${split}, which is not in this folder`,
    advice: `correct ${split}, or copy what it names into the set`,
  };
}
