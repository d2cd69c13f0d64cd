import { isSqlite } from '@assay/sqlite-reader';
import { AssayError, isLfsPointer, lfsPointerHead_bytes, listText } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { mappingFiles, mappingKey } from '../mapped/mapping-files.ts';
import { isPickle } from '../shared/arrays/parse-pickle.ts';
import { folderOf } from '../shared/file-names.ts';
import type { FormatReader, Recognition } from '../shared/reader.ts';
import { parseCsv } from '../shared/text/csv.ts';
import { isDocument, unreadableFileFindings } from '../shared/unreadable-files.ts';
import type { RecognisedFiles } from './recognise-datasets.ts';
import { findUnreadFormats } from './unread-formats.ts';

const maxNamedFiles = 50;

/** Extensions of recordings; a file with one that no reader claimed is not what its name says. */
const recordingExtensions =
  /\.(mcap|bag|h5|hdf5|ulg|ulog|mp4|mkv|mov|webm|avi|m4v|jpe?g|png|bmp|webp|tiff?|gif|tfrecords?(-\d+-of-\d+)?(\.gz)?|db3(\.zstd?)?)$/i;
/** Extensions of recordings without a reader. */
const unsupportedExtensions = /\.(bin|svo2?|rrd|npz|npy|parquet)$/i;
const sidecarExtensions = /\.(txt|json|jsonl|ya?ml|csv|tsv|toml|xml)$/i;
const isHarmless = (path: string): boolean => isDocument(path) || sidecarExtensions.test(path);

/** Files that no reader claimed. */
interface Leftovers extends Omit<RecognisedFiles, 'datasets'> {
  /** Files that findings on companions name, so that they are only reported here if they are damaged. */
  readonly companions: ReadonlySet<string>;
}

/** Files that no reader claimed, by what is wrong with them. */
class Sorted {
  readonly misnamed: Finding[] = [];
  /** Number of further misnamed files, without a finding of their own. */
  more = 0;
  readonly pointers: string[] = [];
  readonly empty: string[] = [];
  /** Recordings in formats without a reader. */
  readonly foreign: string[] = [];
  /** Texts and documents. */
  readonly spare: string[] = [];
  readonly unknown: string[] = [];
}

/**
 * Returns findings about files that no reader claimed: misnamed recordings one by one (up to 50), the others counted by
 * kind (LFS pointers, empty, unmapped tables, unsupported, harmless, unknown). Companions only appear if they are
 * damaged.
 */
export async function leftoverFindings(
  tree: SourceTree,
  { unclaimed, misnamed, closed, companions }: Leftovers,
): Promise<Finding[]> {
  const shut = new Set([...closed, ...closedFiles({ files: unclaimed })]);
  const isCompanion = ({ path }: FileEntry) => companions.has(path);
  const unread = await findUnreadFormats(tree, unclaimed);
  const others = unclaimed.filter(({ path }) => !unread.paths.has(path));
  const signals = await unmappedSignals(
    tree,
    others.filter((file) => !isCompanion(file)),
  );
  const rest = others.filter(({ path }) => !signals.paths.has(path) && !shut.has(path));
  const { more, pointers, empty, foreign, spare, unknown, ...sorted } = await sortFiles(
    tree,
    rest,
    isCompanion,
  );
  return [
    ...sorted.misnamed,
    ...(more > 0 ? [moreMisnamedFinding(more)] : []),
    ...unreadableFileFindings({ pointers, empty, closed: [...shut] }),
    ...[...misnamed].slice(0, maxNamedFiles).map(([path, reader]) => misleadingNameFinding(path, reader)),
    ...unread.findings,
    ...signals.findings,
    ...summaryFinding(
      {
        code: 'format_not_read',
        severity: 'warning',
        advice: 'pass the folder of the whole dataset, or convert the files',
      },
      foreign,
      'not part of a recognised dataset and not supported on their own',
    ),
    ...summaryFinding(
      { code: 'files_beside', severity: 'info', advice: 'nothing to do' },
      spare,
      'found next to the recordings, not read',
    ),
    ...summaryFinding(
      { code: 'files_unknown', severity: 'info', advice: 'nothing to do, unless these are recordings' },
      unknown,
      'of unknown type, not read',
    ),
  ];
}

/** Sorts files by what is wrong with them. Companions have a finding of their own and are left out unless damaged. */
async function sortFiles(
  tree: SourceTree,
  files: readonly FileEntry[],
  isCompanion: (file: FileEntry) => boolean,
): Promise<Sorted> {
  const sorted = new Sorted();
  let checked = 0;
  for (const file of files) {
    const { path, bytes } = file;
    if (
      mayBePointer(file, isCompanion(file)) &&
      checked++ < maxPointerChecks &&
      (await isPointer(tree, file))
    ) {
      sorted.pointers.push(path);
      continue;
    }
    const pretends = recordingExtensions.test(path) || (unsupportedExtensions.test(path) && bytes === 0);
    if (pretends && sorted.misnamed.length < maxNamedFiles)
      sorted.misnamed.push(await misnamedFileFinding(tree, file));
    else if (pretends) sorted.more++;
    else if (isCompanion(file)) continue;
    else if (bytes === 0 && !isHarmless(path)) sorted.empty.push(path);
    else if (unsupportedExtensions.test(path)) sorted.foreign.push(path);
    else if (isHarmless(path)) sorted.spare.push(path);
    else sorted.unknown.push(path);
  }
  return sorted;
}

function moreMisnamedFinding(more: number): Finding {
  return {
    code: 'files_unread',
    severity: 'error',
    path: null,
    message: `${more} more ${more === 1 ? 'file looks like a recording' : 'files look like recordings'}, but ${more === 1 ? 'is not valid' : 'are not valid'}`,
    advice: 'repair the files named above first; the others probably have the same problem',
  };
}

/** Maximum number of small files to check for LFS pointers. */
const maxPointerChecks = 2000;

/** True for files whose size fits an LFS pointer, which is about 130 bytes, and that are not known to be harmless. */
const mayBePointer = ({ path, bytes }: FileEntry, isCompanion: boolean): boolean =>
  bytes > 0 && bytes < 1024 && (isCompanion || !isHarmless(path));

async function isPointer(tree: SourceTree, file: FileEntry): Promise<boolean> {
  return isLfsPointer(await tree.head(file.path, lfsPointerHead_bytes).catch(() => new Uint8Array()));
}

function misleadingNameFinding(path: string, reader: FormatReader): Finding {
  return {
    code: 'name_misleads',
    severity: 'info',
    path,
    message: `the file name extension of ${path} does not match its content; it was read as ${reader.title}`,
    advice: 'rename the file, because other programs rely on the extension',
  };
}

async function misnamedFileFinding(tree: SourceTree, file: FileEntry): Promise<Finding> {
  const base = { path: file.path };
  if (file.bytes === 0) {
    return {
      ...base,
      code: 'file_empty',
      severity: 'error',
      message: `${file.path} is empty (0 bytes)`,
      advice: 'record or copy the file again',
    };
  }
  const head = await tree.head(file.path, 64).catch(() => new Uint8Array());
  const what = isText(head)
    ? 'text'
    : isSqlite(head)
      ? 'an SQLite database, but not a ROS 2 bag'
      : 'unknown binary data';
  return {
    ...base,
    code: 'file_misnamed',
    severity: 'error',
    message: `the content of ${file.path} does not match its file name: it contains ${what}`,
    advice: 'restore the file, or rename it',
  };
}

function isText(head: Uint8Array): boolean {
  return (
    head.length > 0 &&
    head.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte !== 127))
  );
}

function summaryFinding(
  kind: Pick<Finding, 'code' | 'severity' | 'advice'>,
  paths: readonly string[],
  what: string,
): Finding[] {
  if (paths.length === 0) return [];
  const files = paths.length === 1 ? '1 file' : `${paths.length} files`;
  return [{ ...kind, path: null, message: `${files} ${what}: ${listText(paths, 5)}` }];
}

/** A recognised dataset in `tree`; `datasetTree` holds only its files. */
interface Recognised {
  readonly tree: SourceTree;
  readonly datasetTree: SourceTree;
  readonly path: string;
  readonly recognition: Recognition;
}

/**
 * Throws `not_permitted` if a file or folder of a dataset may not be read: it would look missing or damaged, and its
 * episodes be rejected. Documents do not count, nor files that the reader reports itself. For file readers, an
 * unreadable sibling folder counts if it could change the format.
 */
export function assertReadable(recognised: Recognised, reader: FormatReader): void {
  const { datasetTree, recognition } = recognised;
  const folders =
    recognition.files === null ? closedFolders(datasetTree) : closedSiblingFolders(recognised, reader);
  const files = closedFiles(datasetTree).filter((path) => reader.reportsClosedFile?.(path) !== true);
  const closed = [...folders, ...files];
  if (closed.length === 0) return;
  const what = listText(closed, 4);
  throw new AssayError('not_permitted', `no permission to read ${what}, so the dataset was not assessed`, {
    advice: 'get read permission (chmod -R a+rX)',
  });
}

/** Returns files without read permission, except documents, which are not part of recordings. */
function closedFiles({ files }: Pick<SourceTree, 'files'>): string[] {
  return files.flatMap(({ path, closed }) => (closed === true && !isDocument(path) ? [path] : []));
}

/** Returns unreadable folders around the dataset that may show that its files belong to another format. */
function closedSiblingFolders(
  { tree, path: at }: Recognised,
  { foreignSiblings: notBeside }: FormatReader,
): string[] {
  if (notBeside === undefined) return [];
  const isAround = (folder: string) => folder === '' || `${at}/`.startsWith(`${folder}/`);
  return closedFolders(tree).filter((path) => notBeside.test(path) && isAround(folderOf(path)));
}

function closedFolders({ findings }: SourceTree): string[] {
  return findings.flatMap(({ code, path }) =>
    code === 'folder_not_permitted' && path !== null ? [path] : [],
  );
}

const tableName = /\.(csv|tsv|parquet|npz|npy|pkl|pickle)$|(^|\/)(\.zarray|zarr\.json)$/i;
const headBytes = 16 * 1024;
/** Maximum number of tables whose content is checked. */
const maxSampledTables = 20;

/**
 * Returns findings about unclaimed tables that look like signals, and about files named like a mapping that are none,
 * with their paths.
 */
async function unmappedSignals(
  tree: SourceTree,
  left: readonly FileEntry[],
): Promise<{ readonly paths: ReadonlySet<string>; readonly findings: readonly Finding[] }> {
  const tables = left.filter(({ path, bytes }) => tableName.test(path) && bytes > 0);
  const findings: Finding[] = [];
  for (const { path } of left.filter(isCalledMapping)) {
    const head = await tree.head(path, headBytes).catch(() => new Uint8Array());
    // A marked one is a mapping of topics, which the datasets beside it use.
    if (!mappingKey.test(Buffer.from(head).toString('utf8'))) findings.push(unmarkedMappingFinding(path));
  }
  const signals = new Set<string>();
  for (const { path } of tables.slice(0, maxSampledTables)) {
    const head = await tree.head(path, headBytes).catch(() => new Uint8Array());
    if (looksLikeSignals(Buffer.from(head))) signals.add(path);
  }
  if (signals.size === maxSampledTables) for (const { path } of tables) signals.add(path);
  if (signals.size > 0) findings.push(unmappedFinding([...signals]));
  return { paths: new Set([...signals, ...findings.flatMap(({ path }) => path ?? [])]), findings };
}

function unmappedFinding(paths: readonly string[]): Finding {
  const named = paths.slice(0, 3).join(', ');
  const files = paths.length === 1 ? '1 table' : `${paths.length} tables`;
  return {
    code: 'signals_unmapped',
    severity: 'info',
    path: null,
    message: `possible signals without a mapping file in ${files}: ${named}${paths.length > 3 ? ', …' : ''}`,
    advice: 'run `assay map init FOLDER` to generate a mapping file, which describes the columns',
  };
}

function isCalledMapping({ path }: FileEntry): boolean {
  return mappingFiles.some((name) => path === name || path.endsWith(`/${name}`));
}

function unmarkedMappingFinding(path: string): Finding {
  return {
    code: 'mapping_unmarked',
    severity: 'warning',
    path,
    message: `${path} does not contain assay_map: 1, so it was not used as a mapping file`,
    advice: 'add the line assay_map: 1 at the beginning, or rename the file',
  };
}

/** True for Parquet and arrays of NumPy and zarr, or for text with a header and rows of at least two numbers. */
function looksLikeSignals(head: Buffer): boolean {
  const start = head.toString('latin1', 0, 6);
  if (start.startsWith('PAR1') || start.startsWith('PK\x03\x04') || start === '\x93NUMPY') return true;
  if (isPickle(head) || (start.startsWith('{') && head.includes('"zarr_format"'))) return true;
  const lines = head
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '');
  if (head.length === headBytes) lines.pop();
  const [first] = lines;
  if (first === undefined || lines.length < 3) return false;
  const delimiter = [',', ';', '\t', '|'].find((candidate) => first.includes(candidate)) ?? ',';
  const rows = lines.slice(0, 4).map((line) => parseCsv(line.replaceAll(delimiter, ','))[0] ?? []);
  const numbers = (row: readonly string[]) =>
    row.filter((text) => text.trim() !== '' && Number.isFinite(Number(text))).length;
  return numbers(rows[0]) === 0 && rows.slice(1).every((row) => numbers(row) >= 2);
}
