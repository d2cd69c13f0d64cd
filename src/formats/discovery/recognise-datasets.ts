import { AssayError } from '#core';
import type { FileEntry, SourceTree } from '#io/sources';
import type { FormatReader, Recognition } from '../shared/reader.ts';
import type { RecognisedDataset } from './recognised-dataset.ts';

/**
 * Returns the datasets of folder readers in a tree, searched top-down; the first reader that recognises a folder gets
 * it with everything below it.
 */
export async function recogniseFolders(
  tree: SourceTree,
  known: readonly FormatReader[],
): Promise<RecognisedDataset[]> {
  const folderReaders = known.filter((reader) => reader.scope === 'folder');
  const datasets: RecognisedDataset[] = [];
  const taken = new Set<string>();
  for (const folder of listFolders(tree.files)) {
    if (isInClaimedFolder(folder, taken)) continue;
    const below = folder === '' ? tree : tree.subtree(folder);
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

/** Returns every folder that contains something, parents before children. */
function listFolders(files: readonly FileEntry[]): string[] {
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

function isInClaimedFolder(folder: string, taken: ReadonlySet<string>): boolean {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (taken.has(at)) return true;
    if (at === '') return false;
  }
}

/** Returns the files outside of the folders of the recognised datasets. */
export function unclaimedFiles(
  tree: SourceTree,
  datasets: readonly RecognisedDataset[],
): readonly FileEntry[] {
  if (datasets.length === 0) return tree.files;
  const taken = new Set(datasets.map(({ path }) => path));
  return tree.files.filter(
    (file) => !isInClaimedFolder(file.path.slice(0, Math.max(0, file.path.lastIndexOf('/'))), taken),
  );
}

/** Files claimed by a file reader. */
interface ReaderClaim {
  readonly reader: FormatReader;
  readonly recognition: Recognition;
  readonly files: readonly string[];
}

/** Result of file readers on the files that no folder reader claimed. */
export interface RecognisedFiles {
  readonly datasets: RecognisedDataset[];
  readonly unclaimed: readonly FileEntry[];
  /** Files claimed by their content despite their names, with the reader. */
  readonly misnamed: ReadonlyMap<string, FormatReader>;
  /** Files that may not be read. */
  readonly closed: readonly string[];
}

/**
 * Recognises datasets of file readers among the remaining files, by names, then by first bytes; also returns the files
 * that are left, those with misleading names, and those without read permission.
 */
export async function recogniseFiles(
  tree: SourceTree,
  rest: readonly FileEntry[],
  known: readonly FormatReader[],
): Promise<RecognisedFiles> {
  const ofFiles = known.filter((reader) => reader.scope !== 'folder');
  const taken = new Map<string, ReaderClaim>();
  const misnamed = new Map<string, FormatReader>();
  let unclaimed = rest;
  const take = async (reader: FormatReader, files: readonly FileEntry[], odd?: ReadonlySet<string>) => {
    const found = await claimFiles(tree, reader, files, odd);
    if (found === null) return;
    taken.set(reader.id, found);
    const claimed = new Set(found.files);
    unclaimed = unclaimed.filter((file) => !claimed.has(file.path));
    for (const path of odd ?? []) if (claimed.has(path)) misnamed.set(path, reader);
  };
  for (const reader of ofFiles) if (unclaimed.length > 0) await take(reader, unclaimed);
  const { found: odd, closed } = await recogniseByContents(tree, unclaimed, ofFiles);
  for (const reader of ofFiles) {
    const paths = odd.get(reader.id) ?? [];
    if (paths.length === 0) continue;
    // Together with the files it already has, so that a folder stays one dataset.
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
    if (found !== undefined) datasets.push(...(await divideClaim(found)));
  }
  return { datasets, unclaimed: unclaimed, misnamed, closed };
}

async function claimFiles(
  tree: SourceTree,
  reader: FormatReader,
  files: readonly FileEntry[],
  odd?: ReadonlySet<string>,
): Promise<ReaderClaim | null> {
  const recognition = await reader.recognise(files === tree.files ? tree : tree.restrictTo(files), odd);
  if (recognition === null) return null;
  return { reader, recognition, files: recognition.files ?? files.map((file) => file.path) };
}

async function divideClaim({ reader, recognition, files }: ReaderClaim): Promise<RecognisedDataset[]> {
  const whole = { ...recognition, format: reader.id, files };
  const parts = (await reader.divide?.(whole)) ?? [{ folder: '', recognition: whole }];
  return parts.map((part) => ({ path: part.folder, recognition: part.recognition }));
}

/** Maximum number of files whose first bytes are read. */
const maxSniffedFiles = 2000;
const sniffBatchSize = 32;
/** Bytes that are enough to identify any format. */
const headBytes = 4096;

/** Names that are trusted: metadata, code, tables, audio, documents, previews that cameras write beside their videos. */
const trustedExtensions =
  /(^|\/)(readme|license|licence|notice|changelog|citation)[^/]*$|\.(md|json|jsonl|ya?ml|csv|tsv|toml|xml|html?|pdf|py|sh|ipynb|sha256|md5|parquet|np[yz]|zip|tar|gz|m4a|mka|og[ga]|opus|mp3|wav|aac|flac|lrv|lrf|thm)$/i;

interface ContentMatches {
  /** Files whose content but not name matches a format, by format id. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** Files that may not be read. */
  readonly closed: readonly string[];
}

/** Checks the first bytes of the files that no reader claimed by name. */
async function recogniseByContents(
  tree: SourceTree,
  left: readonly FileEntry[],
  known: readonly FormatReader[],
): Promise<ContentMatches> {
  const judges = known.filter((reader) => reader.matchesHead !== undefined);
  const doubted = left
    .filter(({ path, bytes }) => bytes > 0 && !trustedExtensions.test(path))
    .slice(0, maxSniffedFiles);
  const found = new Map<string, string[]>();
  const closed: string[] = [];
  for (let from = 0; from < doubted.length; from += sniffBatchSize) {
    const batch = doubted.slice(from, from + sniffBatchSize);
    const ids = await Promise.all(batch.map(({ path }) => sniffFormat(tree, path, judges)));
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

async function sniffFormat(
  tree: SourceTree,
  path: string,
  judges: readonly FormatReader[],
): Promise<string | typeof notPermitted | null> {
  const head = await tree.head(path, headBytes).catch((thrown) => {
    return thrown instanceof AssayError && thrown.code === 'not_permitted' ? notPermitted : null;
  });
  if (head === null || head === notPermitted) return head;
  for (const reader of judges) if (await reader.matchesHead?.(head)) return reader.id;
  return null;
}
