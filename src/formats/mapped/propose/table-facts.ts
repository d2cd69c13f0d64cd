import type { SourceTree } from '#io/sources';
import { isPictureName } from '../../shared/file-names.ts';
import { findPictureFile } from '../cameras.ts';
import type { Mapping } from '../mapping.ts';
import { folderOfTable, openTable, type TableLocation } from '../open-table.ts';
import type { FileValue, Table, TableChunk, TableColumn } from '../table.ts';

/** Columns, values and pictures found in the first rows of a table. */
export interface TableFacts {
  readonly columns: readonly ColumnFacts[];
  /** Columns with another number of rows than most. */
  readonly others: readonly TableColumn[];
  /** Values of the whole file by path. */
  readonly values: ReadonlyMap<string, FileValue>;
  /** Columns that hold pictures. */
  readonly pictures: readonly PictureFacts[];
}

/** Statistics of a column's first rows. */
export interface ColumnFacts {
  readonly name: string;
  readonly kind: TableColumn['kind'];
  /** Number of sampled rows. */
  readonly rows: number;
  readonly missing: number;
  /** Range of all values; of a list column over all of its dimensions. */
  readonly low: number;
  readonly high: number;
  readonly is_whole: boolean;
  /** True if values never decrease and change at least once. */
  readonly is_rising: boolean;
  readonly median_step: number;
  readonly distinct_texts: readonly string[];
  /** Values of the first rows of a list column, row by row. */
  readonly series: { readonly values: readonly number[]; readonly width: number };
}

interface PictureFacts {
  readonly column: string;
  readonly role: 'camera' | 'depth';
  /** True for raw pixels. */
  readonly isRaw: boolean;
  readonly because: string;
}

const maxSampledRows = 5000;
/** Sampled numbers of all columns, so that tables of thousands of columns take little memory. */
const maxSampledNumbers = 2_000_000;
const minSampledRows = 50;
const maxTexts = 5;
/** Dimensions of a list column that are sampled. */
const maxSampledWidth = 64;

/**
 * Returns statistics of each column of a table, from its first rows, and the values and pictures of the file; throws
 * AssayError if the table cannot be read.
 */
export async function readTableFacts(
  tree: SourceTree,
  location: TableLocation,
  mapping: Pick<Mapping, 'csv' | 'rows'>,
): Promise<TableFacts> {
  await using table = await openTable(tree, location, mapping);
  const pictures = await findPictures(table);
  const isPicture = new Set(pictures.map(({ column }) => column));
  const candidates = table.columns.filter(({ name }) => !isPicture.has(name));
  const [columns, others] = divideByRows(candidates);
  const numbers = columns.filter(({ kind }) => kind === 'number' || kind === 'list');
  const texts = columns.filter(({ kind }) => kind === 'number' || kind === 'text');
  const samples = numbers.map(() => new ColumnSample());
  const textSets = texts.map(() => new Set<string>());
  await forEachRow(table, numbers, texts, (chunk, row) => {
    for (const [at, source] of chunk.numbers.entries()) samples[at].add(source, row);
    textSets.forEach((set, at) => {
      const text = set.size < maxTexts ? chunk.text(at, row) : null;
      if (text !== null) set.add(text);
    });
  });
  const noSample = new ColumnSample();
  const facts = columns.map((column) =>
    computeFacts(column, samples[numbers.indexOf(column)] ?? noSample, [
      ...(textSets[texts.indexOf(column)] ?? []),
    ]),
  );
  return {
    columns: facts,
    others,
    values: (await table.values?.()) ?? new Map(),
    pictures: [
      ...pictures,
      ...facts.flatMap((column) => picturePaths(tree, folderOfTable(location), column)),
    ],
  };
}

/** Divides columns into those with the most frequent number of rows, and the others. */
function divideByRows(columns: readonly TableColumn[]): [same: TableColumn[], others: TableColumn[]] {
  const counts = new Map<number | undefined, number>();
  for (const { rows } of columns) counts.set(rows, (counts.get(rows) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const isSame = ({ rows }: TableColumn) => rows === most?.[0];
  return [columns.filter(isSame), columns.filter((column) => !isSame(column))];
}

/** Sampled values of one column. */
class ColumnSample {
  /** First value of each row. */
  readonly first: number[] = [];
  width = 0;
  /** Values of all sampled dimensions of a list column. */
  readonly #lists: number[] = [];

  /** Values of all sampled dimensions, row by row. */
  get all(): readonly number[] {
    return this.width === 1 ? this.first : this.#lists;
  }

  add({ values, width }: TableChunk['numbers'][number], row: number): void {
    if (this.first.length === 0) this.width = Math.min(width, maxSampledWidth);
    this.first.push(width === 0 ? Number.NaN : values[row * width]);
    for (let i = 0; i < this.width && this.width > 1; i++)
      this.#lists.push(i < width ? values[row * width + i] : Number.NaN);
  }
}

async function forEachRow(
  table: Table,
  numbers: readonly TableColumn[],
  texts: readonly TableColumn[],
  takeRow: (chunk: TableChunk, row: number) => void,
): Promise<void> {
  let rows = 0;
  for await (const chunk of table.chunks({ numbers, texts, stamps: [], key: null })) {
    const perRow = chunk.numbers.reduce((sum, { width }) => sum + Math.min(width, maxSampledWidth), 1);
    const fitting = Math.max(minSampledRows, Math.floor(maxSampledNumbers / perRow));
    const limit = Math.min(maxSampledRows, fitting);
    for (let row = 0; row < chunk.rows && rows < limit; row++, rows++) takeRow(chunk, row);
    if (rows >= limit) return;
  }
}

/** Finds the columns that store pictures. Arrays of touch sensors have the shape of pictures and are none. */
async function findPictures(table: Table): Promise<PictureFacts[]> {
  const found: PictureFacts[] = [];
  for (const { name, kind } of table.columns) {
    if (table.frames === undefined || kind === 'text' || /tactile|touch|force/i.test(name)) continue;
    const role = /depth/i.test(name) ? 'depth' : 'camera';
    const camera = { id: name, role, column: name, colours: 'rgb' } as const;
    const frames = await table.frames(camera, false);
    if (frames === null) continue;
    const { sample_count, shape } = frames.stream;
    const isRaw = frames.stream.frames?.locator.type === 'embedded' && shape.length > 0;
    const what = isRaw ? `raw pixels (${shape.join(' x ')})` : 'encoded images, judging by their first bytes';
    found.push({ column: name, role, isRaw, because: `${sample_count} rows of ${what}` });
  }
  return found;
}

/** Returns a column of texts that are paths of picture files, relative to the table or the folder. */
function picturePaths(
  tree: SourceTree,
  folder: string,
  { name, kind, distinct_texts }: ColumnFacts,
): PictureFacts[] {
  const [first] = distinct_texts;
  if (kind !== 'text' || first === undefined || !distinct_texts.every(isPictureName)) return [];
  if (findPictureFile(tree, folder, first) === null) return [];
  const role = /depth/i.test(name) ? 'depth' : 'camera';
  return [{ column: name, role, isRaw: false, because: `paths of image files, for example ${first}` }];
}

function computeFacts(
  { name, kind }: TableColumn,
  { first, all, width }: ColumnSample,
  distinct_texts: readonly string[],
): ColumnFacts {
  const finite = first.filter((value) => Number.isFinite(value));
  const steps = finite.slice(1).map((value, at) => value - finite[at]);
  const sorted = steps.toSorted((a, b) => a - b);
  const isText = kind === 'number' && finite.length === 0 && distinct_texts.length > 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of all) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return {
    ...{ name, kind: isText ? 'text' : kind, rows: first.length, missing: first.length - finite.length },
    ...{ low, high, distinct_texts, series: { values: all, width } },
    is_whole: finite.length > 0 && finite.every((value) => Number.isInteger(value)),
    is_rising: steps.length > 0 && sorted[0] >= 0 && sorted[sorted.length - 1] > 0,
    median_step: sorted[sorted.length >> 1] ?? Number.NaN,
  };
}

/** Largest lead that is searched: half a second at 30 Hz. */
const maxLead_rows = 15;
const minLeadCorrelation = 0.8;
/** Minimum gain in correlation over that without a shift. */
const minLeadGain = 0.02;
const minRows = 60;

/**
 * Returns by how many rows the first column moves before the second; 0 if it does not, or if they do not move alike.
 * Compares the steps of all dimensions; columns of different widths are not compared.
 */
export function rowsAhead(leader: ColumnFacts | undefined, follower: ColumnFacts | undefined): number {
  if (leader === undefined || follower === undefined || leader.rows < minRows) return 0;
  if (leader.series.width !== follower.series.width || leader.rows !== follower.rows) return 0;
  let best = { lead: 0, value: stepCorrelation(leader, follower, 0) };
  const unshifted = best.value;
  for (let lead = -maxLead_rows; lead <= maxLead_rows; lead++) {
    const value = stepCorrelation(leader, follower, lead);
    if (value > best.value + 1e-9) best = { lead, value };
  }
  const isClear = best.value >= minLeadCorrelation && best.value - unshifted >= minLeadGain;
  return isClear && best.lead > 0 ? best.lead : 0;
}

/** Returns the correlation of the leader's steps with the follower's steps `lead` rows later. */
function stepCorrelation({ series: a, rows }: ColumnFacts, { series: b }: ColumnFacts, lead: number): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let row = Math.max(1, 1 - lead); row < Math.min(rows, rows - lead); row++)
    for (let dimension = 0; dimension < a.width; dimension++) {
      const at = row * a.width + dimension;
      const then = at + lead * a.width;
      const x = a.values[at] - a.values[at - a.width];
      const y = b.values[then] - b.values[then - a.width];
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
