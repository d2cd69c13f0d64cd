import type { FileEntry, SourceTree } from '#io/sources';
import { isMediaName, splitPath } from '../../shared/file-names.ts';
import { parseCsv } from '../../shared/text/csv.ts';
import { isListingKey, isSettings, isSignalName, isTrainingKey } from './file-roles.ts';
import { type DataKind, findMentions, readJsonFacts } from './json-facts.ts';
import { identifyText, type KnownFile } from './known-files.ts';

/** Content of a text file, as far as it shows whether the file belongs to recordings. */
export interface TextFacts {
  /** Names of pictures and videos in the text, as written. */
  readonly mentions: readonly string[];
  /** Number of records: lines of a table, entries of the longest JSON list of objects or lists; 0 if there are none. */
  readonly rows: number;
  readonly data: DataKind;
  /** True if it has a series of at least ten numbers that is named like a signal (`actions`, `joint_0`), or names a task. */
  readonly is_recording: boolean;
  /** True if it is a table of numbers with a column of rising times. */
  readonly is_timed: boolean;
  readonly known: KnownFile | null;
}

const noFacts: TextFacts = {
  mentions: [],
  rows: 0,
  data: 'none',
  is_recording: false,
  is_timed: false,
  known: null,
};
const minRows = 10;
/** Number of JSON lines that are judged; the others are expected to hold the same. */
const sampledLines = 20;
/** Maximum number of columns of a table that are judged. */
const maxColumns = 2000;

/**
 * Returns the facts in the first `max_bytes` of a text file, by its extension; `null` if it cannot be read or is blank.
 */
export async function readTextFacts(
  tree: SourceTree,
  file: FileEntry,
  max_bytes: number,
): Promise<TextFacts | null> {
  const head = await tree.head(file.path, max_bytes).catch(() => null);
  const text = head === null ? '' : new TextDecoder().decode(head).replace(/^\ufeff/, '');
  if (text.trim() === '') return null;
  const known = identifyText(text.slice(0, 256 * 1024));
  const facts = factsOf(text, tree, file, file.bytes > max_bytes);
  return known === null ? facts : { ...facts, known, data: 'signals' };
}

function factsOf(text: string, tree: SourceTree, { path }: FileEntry, isCut: boolean): TextFacts {
  const { extension, stem } = splitPath(path);
  if (extension === '.json') return { ...noFacts, ...readJsonFacts(text, isCut) };
  if (extension === '.csv' || extension === '.tsv') return { ...noFacts, ...readTableFacts(text, extension) };
  if (extension === '.gpx') return { ...noFacts, data: 'signals', is_timed: true };
  if (extension === '.xml') return { ...noFacts, mentions: findMentions(text) };
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (extension === '.jsonl' || extension === '.ndjson') {
    const { data, is_recording } = readJsonFacts(`[${lines.slice(0, sampledLines).join(',')}]`, false);
    return { ...noFacts, mentions: findMentions(text), rows: lines.length, data, is_recording };
  }
  if (isSettings(path)) return { ...noFacts, rows: countEntries(lines), data: 'values' };
  if (extension === '.txt') return { ...noFacts, ...readLines(lines, { tree, path, stem }) };
  return { ...noFacts, data: 'values' };
}

/** Returns the number of keys of a YAML text that are numbers, else of the entries of its list. */
function countEntries(lines: readonly string[]): number {
  const keys = lines.filter((line) => /^\d+:/.test(line)).length;
  return keys > 0 ? keys : lines.filter((line) => line.startsWith('- ')).length;
}

type Lines = Pick<TextFacts, 'mentions' | 'rows' | 'data' | 'is_timed'>;

function readLines(
  lines: readonly string[],
  { tree, path, stem }: { readonly tree: SourceTree; readonly path: string; readonly stem: string },
): Lines {
  if (lines.length === 0) return noFacts;
  const names = lines.map(findMentions);
  const naming = lines.filter((_, i) => names[i].length > 0);
  // A text that shows a picture here and there is prose.
  if (2 * naming.length >= lines.length) {
    const { folder } = splitPath(path);
    const described = lines.filter(
      (line, i) => names[i].length > 0 && describes(line, names[i], tree, folder),
    );
    const data = 2 * described.length >= naming.length ? 'values' : 'none';
    return { mentions: names.flat(), rows: lines.length, data, is_timed: false };
  }
  const table = lines.map((line) =>
    line
      .trim()
      .split(/[\s,;]+/)
      .map(Number),
  );
  const numeric = table.filter((row) => row.every(Number.isFinite));
  if (numeric.length >= Math.max(1, 0.9 * lines.length)) {
    const times = numeric.map(([time]) => time);
    const columns = numeric[0].length;
    const isSeries = numeric.length >= minRows && isRising(times);
    // A column of whole numbers alone is a list of indices.
    const isTable = columns > 1 || (isSeries && times.some((time) => !Number.isInteger(time)));
    return {
      mentions: [],
      rows: isTable ? numeric.length : 0,
      data: isTable ? 'signals' : 'values',
      is_timed: isSeries && columns >= 4,
    };
  }
  const isClassList = /(^|[^a-z])(labels?|class(es)?|names|categor(y|ies)|objects?)$/i.test(stem);
  const data = isClassList && lines.every((line) => /^\D{1,60}$/.test(line)) ? 'none' : 'values';
  return { mentions: [], rows: 0, data, is_timed: false };
}

/** True if a line holds a word or number besides file names, their sizes, hashes, addresses and words of lists. */
function describes(line: string, names: readonly string[], tree: SourceTree, folder: string): boolean {
  const sizes = new Set(
    names.map((name) => String(tree.entry(folder === '' ? name : `${folder}/${name}`)?.bytes ?? '')),
  );
  return line.split(/[\s,;|"']+/).some((text) => {
    const isListed = isMediaName(text) || sizes.has(text);
    return !isListed && /[a-z\d]/i.test(text) && !/^([0-9a-f]{32,}|file|\/.*|https?:.*|[*.]+)$/i.test(text);
  });
}

function readTableFacts(text: string, extension: string): Partial<TextFacts> {
  const [header = ''] = text.split(/\r\n|\n|\r/, 1);
  const delimiter =
    extension === '.tsv' ? '\t' : ([',', ';', '\t', '|'].find((one) => header.includes(one)) ?? ',');
  const table = parseCsv(delimiter === ',' ? text : text.replaceAll(delimiter, ','));
  const [names = [], ...rows] = table;
  const headed = names.every((name) => !isNumber(name));
  const data = headed ? rows : table;
  const columns = names.slice(0, maxColumns).map((name, i) => (headed ? name : `column ${i}`));
  const mentions = data.flatMap((row) => row.filter(isMediaName));
  if (columns.some(isTrainingKey)) return { mentions };
  const sample = data.slice(0, 50);
  const described = columns.filter(
    (name, i) =>
      !isListingKey(name) && sample.some((row) => (row[i] ?? '').trim() !== '' && !isMediaName(row[i])),
  );
  const isNumeric = (_: string, i: number) => sample.slice(0, 5).every((row) => isNumber(row[i] ?? ''));
  const numeric = new Set(columns.filter(isNumeric));
  const series = data.length < minRows ? [] : described.filter((name) => numeric.has(name));
  const time = columns.findIndex((name) => /time|stamp|(^|_)t$/i.test(name));
  return {
    mentions,
    rows: data.length,
    data:
      described.length === 0
        ? 'none'
        : series.length > 0 || described.some(isSignalName)
          ? 'signals'
          : 'values',
    is_recording: series.some(isSignalName),
    is_timed:
      time >= 0 && numeric.size >= 2 && data.length > 2 && isRising(data.map((row) => Number(row[time]))),
  };
}

/** True if the first 200 values are numbers that never fall, and not all equal. */
function isRising(values: readonly number[]): boolean {
  const first = values.slice(0, 200);
  return (
    first.every((value, i) => Number.isFinite(value) && (i === 0 || value >= first[i - 1])) &&
    first[0] < first[first.length - 1]
  );
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
