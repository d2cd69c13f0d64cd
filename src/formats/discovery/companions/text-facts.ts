import type { FileEntry, SourceTree } from '#io/sources';
import { splitPath } from '../../shared/file-names.ts';
import { parseCsv } from '../../shared/text/csv.ts';
import { readJsonFacts } from './json-facts.ts';
import { identifyText, type KnownFile } from './known-files.ts';
import { isListingKey, mediaMentions } from './listing-words.ts';

/** Content of a text file, as far as it shows whether the file belongs to recordings. */
export interface TextFacts {
  /** Names of pictures and videos in the text, as written. */
  readonly mentions: readonly string[];
  /** Number of records: lines of a table, entries of the longest JSON list; 0 if there are none. */
  readonly rows: number;
  /** True if it holds more than a listing of files (names, sizes, hashes, addresses) and of a video's own frame times. */
  readonly has_data: boolean;
  /** True if it is a table with a column of rising times. */
  readonly is_timed: boolean;
  readonly known: KnownFile | null;
}

const maxRead_bytes = 8 * 1024 * 1024;
const textExtensions = /\.(txt|json|jsonl|ndjson|ya?ml|csv|tsv|xml|srt|vtt|gpx|toml)$/i;

export const isTextFile = (path: string): boolean => textExtensions.test(path);

/** Reads a text file, at most its first 8 MiB; `null` if it cannot be read or is empty. */
export async function readTextFacts(tree: SourceTree, file: FileEntry): Promise<TextFacts | null> {
  const head = await tree.head(file.path, maxRead_bytes).catch(() => null);
  const text = head === null ? '' : new TextDecoder().decode(head).replace(/^\ufeff/, '');
  if (text.trim() === '') return null;
  const known = identifyText(text.slice(0, 256 * 1024));
  const { extension } = splitPath(file.path);
  const base = { known, is_timed: false };
  if (extension === '.json')
    return { ...base, ...readJsonFacts(text, file.bytes > maxRead_bytes, known !== null) };
  const mentions = mediaMentions(text);
  if (extension === '.csv' || extension === '.tsv')
    return { ...base, mentions, ...readTableFacts(text, extension) };
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (extension === '.jsonl' || extension === '.ndjson') {
    const first = readJsonFacts(lines[0] ?? '', false, false);
    return { ...base, mentions, rows: lines.length, has_data: first.has_data };
  }
  if (extension !== '.txt') return { ...base, mentions, rows: 0, has_data: true };
  return { ...base, ...readLines(lines, tree, file.path) };
}

function readLines(
  lines: readonly string[],
  tree: SourceTree,
  path: string,
): Pick<TextFacts, 'mentions' | 'rows' | 'has_data'> {
  const naming = lines.filter((line) => mediaMentions(line).length > 0);
  // A text that shows a picture here and there is prose.
  if (2 * naming.length >= lines.length)
    return {
      mentions: naming.flatMap(mediaMentions),
      rows: lines.length,
      has_data: naming.some((line) => hasMoreThanNames(line, tree, path)),
    };
  const numeric = lines.filter((line) => /^[\s\d.,;:+\-eE]+$/.test(line)).length;
  return { mentions: [], rows: numeric >= 0.9 * lines.length ? numeric : 0, has_data: true };
}

/** True if a line holds a word or a number besides file names, their sizes, hashes and words of lists. */
function hasMoreThanNames(line: string, tree: SourceTree, listPath: string): boolean {
  const { folder } = splitPath(listPath);
  const names = mediaMentions(line);
  const sizes = new Set(
    names.map((name) => String(tree.entry(folder === '' ? name : `${folder}/${name}`)?.bytes ?? '')),
  );
  let remaining = line;
  for (const name of names) remaining = remaining.replaceAll(name, ' ');
  return remaining
    .split(/[\s,;|"']+/)
    .some(
      (word) =>
        word !== '' &&
        /[a-z\d]/i.test(word) &&
        !sizes.has(word) &&
        !/^([0-9a-f]{32,}|file|\/.*|https?:.*|[*.]+)$/i.test(word),
    );
}

function readTableFacts(text: string, extension: string): Pick<TextFacts, 'rows' | 'has_data' | 'is_timed'> {
  const [header = ''] = text.split(/\r\n|\n|\r/, 1);
  const delimiter =
    extension === '.tsv' ? '\t' : ([',', ';', '\t', '|'].find((one) => header.includes(one)) ?? ',');
  const table = parseCsv(delimiter === ',' ? text : text.replaceAll(delimiter, ','));
  const [names = [], ...rows] = table;
  const headed = names.every((name) => !isNumber(name));
  const data = headed ? rows : table;
  const columns = headed ? names : names.map((_, i) => `column ${i}`);
  const has_data = columns.some((name, i) => {
    if (isListingKey(name)) return false;
    return data
      .slice(0, 50)
      .some((row) => (row[i] ?? '').trim() !== '' && mediaMentions(row[i]).length === 0);
  });
  const time = columns.findIndex((name) => /time|stamp|(^|_)t$/i.test(name));
  const times = time < 0 ? [] : data.slice(0, 200).map((row) => Number(row[time]));
  const numeric = columns.filter((_, i) => data.slice(0, 5).every((row) => isNumber(row[i] ?? ''))).length;
  const is_timed =
    times.length > 2 &&
    numeric >= 2 &&
    times.every((value, i) => Number.isFinite(value) && (i === 0 || value >= times[i - 1]));
  return { rows: data.length, has_data, is_timed: is_timed && times[0] < times[times.length - 1] };
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
