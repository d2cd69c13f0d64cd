import { AssayError } from '#core';
import type { FileEntry, SourceTree } from '#io/sources';
import type { FormatReader, Recognition } from '../shared/reader.ts';

/** Where a dataset lies and what it was taken for: plain JSON, so that another thread can open it again. */
export interface RecognisedDataset {
  /** Folder relative to what was asked for; '' for that itself. */
  readonly path: string;
  readonly recognition: Recognition;
}

/** Datasets that readers of folders recognise, from the top down: what lies below one is its own. */
export async function recogniseFolders(
  tree: SourceTree,
  known: readonly FormatReader[],
): Promise<RecognisedDataset[]> {
  const folderReaders = known.filter((reader) => reader.scope === 'folder');
  const datasets: RecognisedDataset[] = [];
  const taken = new Set<string>();
  for (const folder of foldersOf(tree.files)) {
    if (isBelow(folder, taken)) continue;
    const below = folder === '' ? tree : tree.below(folder);
    for (const reader of folderReaders) {
      const recognition = await reader.recognise(below);
      if (recognition === null) continue;
      datasets.push({ path: folder, recognition: { ...recognition, format: reader.id } });
      taken.add(folder);
      break;
    }
  }
  return datasets;
}

/** Every folder that holds a file or a folder, parents before children. */
function foldersOf(files: readonly FileEntry[]): string[] {
  const found = new Set<string>(['']);
  let last = '';
  for (const { path } of files) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent === last) continue;
    last = parent;
    for (let folder = parent; folder !== '' && !found.has(folder); ) {
      found.add(folder);
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    }
  }
  const depth = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
  return [...found].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

function isBelow(folder: string, taken: ReadonlySet<string>): boolean {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (taken.has(at)) return true;
    if (at === '') return false;
  }
}

/** Files that no folder reader has taken. */
export function filesLeft(tree: SourceTree, datasets: readonly RecognisedDataset[]): readonly FileEntry[] {
  if (datasets.length === 0) return tree.files;
  const taken = new Set(datasets.map(({ path }) => path));
  return tree.files.filter(
    (file) => !isBelow(file.path.slice(0, Math.max(0, file.path.lastIndexOf('/'))), taken),
  );
}

/** What a reader of files takes. */
interface Taken {
  readonly reader: FormatReader;
  readonly recognition: Recognition;
  readonly files: readonly string[];
}

/** What readers of files recognise among what no folder reader took. */
export interface RecognisedFiles {
  readonly datasets: RecognisedDataset[];
  readonly left: readonly FileEntry[];
  /** Files that were taken for what they hold, which is not what they are called. */
  readonly misnamed: ReadonlyMap<string, FormatReader>;
  /** Files that may not be read. */
  readonly closed: readonly string[];
}

/** Datasets that readers of files recognise among what is left, by names and by first bytes. */
export async function recogniseFiles(
  tree: SourceTree,
  rest: readonly FileEntry[],
  known: readonly FormatReader[],
): Promise<RecognisedFiles> {
  const ofFiles = known.filter((reader) => reader.scope !== 'folder');
  const taken = new Map<string, Taken>();
  const misnamed = new Map<string, FormatReader>();
  let left = rest;
  const take = async (reader: FormatReader, files: readonly FileEntry[], odd?: ReadonlySet<string>) => {
    const found = await takeFiles(tree, reader, files, odd);
    if (found === null) return;
    taken.set(reader.id, found);
    const own = new Set(found.files);
    left = left.filter((file) => !own.has(file.path));
    for (const path of odd ?? []) if (own.has(path)) misnamed.set(path, reader);
  };
  for (const reader of ofFiles) if (left.length > 0) await take(reader, left);
  const { found: odd, closed } = await byContents(tree, left, ofFiles);
  for (const reader of ofFiles) {
    const paths = odd.get(reader.id) ?? [];
    if (paths.length === 0) continue;
    // Together with what it has already, so that a folder stays one dataset.
    const all = new Set([...(taken.get(reader.id)?.files ?? []), ...paths]);
    await take(
      reader,
      rest.filter(({ path }) => all.has(path)),
      new Set(paths),
    );
  }
  const datasets: RecognisedDataset[] = [];
  for (const reader of ofFiles) {
    const found = taken.get(reader.id);
    if (found !== undefined) datasets.push(...(await partsOf(found)));
  }
  return { datasets, left, misnamed, closed };
}

async function takeFiles(
  tree: SourceTree,
  reader: FormatReader,
  files: readonly FileEntry[],
  odd?: ReadonlySet<string>,
): Promise<Taken | null> {
  const recognition = await reader.recognise(files === tree.files ? tree : tree.only(files), odd);
  if (recognition === null) return null;
  return { reader, recognition, files: recognition.files ?? files.map((file) => file.path) };
}

async function partsOf({ reader, recognition, files }: Taken): Promise<RecognisedDataset[]> {
  const whole = { ...recognition, format: reader.id, files };
  const parts = (await reader.divide?.(whole)) ?? [{ folder: '', recognition: whole }];
  return parts.map((part) => ({ path: part.folder, recognition: part.recognition }));
}

/** Files that are looked into, whatever their names. */
const mostLooked = 2000;
const atOnce = 32;
/** As much as any format needs to be known by. */
const headBytes = 4096;

/** What such names say is not doubted: metadata, code, tables, sound, documents. */
const believed =
  /(^|\/)(readme|license|licence|notice|changelog|citation)[^/]*$|\.(md|json|jsonl|ya?ml|csv|tsv|toml|xml|html?|pdf|py|sh|ipynb|sha256|md5|parquet|np[yz]|zip|tar|gz|m4a|mka|og[ga]|opus|mp3|wav|aac|flac)$/i;

interface ByContents {
  /** Files that begin as those of a format do although their names do not say so, by the format's id. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** Files that may not be read. */
  readonly closed: readonly string[];
}

/** Looks at the first bytes of what no reader took by its name. */
async function byContents(
  tree: SourceTree,
  left: readonly FileEntry[],
  known: readonly FormatReader[],
): Promise<ByContents> {
  const judges = known.filter((reader) => reader.startsLike !== undefined);
  const doubted = left.filter(({ path, bytes }) => bytes > 0 && !believed.test(path)).slice(0, mostLooked);
  const found = new Map<string, string[]>();
  const closed: string[] = [];
  for (let from = 0; from < doubted.length; from += atOnce) {
    const batch = doubted.slice(from, from + atOnce);
    const ids = await Promise.all(batch.map(({ path }) => formatOf(tree, path, judges)));
    for (const [i, id] of ids.entries()) {
      if (id === notPermitted) closed.push(batch[i].path);
      if (id === null || id === notPermitted) continue;
      const own = found.get(id);
      if (own === undefined) found.set(id, [batch[i].path]);
      else own.push(batch[i].path);
    }
  }
  return { found, closed };
}

const notPermitted = Symbol('not permitted');

async function formatOf(
  tree: SourceTree,
  path: string,
  judges: readonly FormatReader[],
): Promise<string | typeof notPermitted | null> {
  const head = await tree.head(path, headBytes).catch((thrown) => {
    return thrown instanceof AssayError && thrown.code === 'not_permitted' ? notPermitted : null;
  });
  if (head === null || head === notPermitted) return head;
  for (const reader of judges) if (await reader.startsLike?.(head)) return reader.id;
  return null;
}
