import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { ReadableFile, SourceTree } from '#io/sources';
import {
  type CsvRecord,
  CsvScanner,
  fieldText,
  isMissingMarker,
  parseNumber,
} from '../shared/text/csv-scanner.ts';
import { CsvIssues, StampParser } from './csv-fields.ts';
import type { Mapping } from './mapping.ts';
import type { Table, TableChunk, TableColumn, TablePlan } from './table.ts';

const chunkRows = 2048;
const headBytes = 256 * 1024;

/**
 * Opens a CSV file as a table with the names in its first line as columns, guessing the delimiter unless `csv` has one;
 * throws `unreadable_input` without a header line.
 */
export async function openCsv(tree: SourceTree, path: string, csv: Mapping['csv']): Promise<Table> {
  const head = Buffer.from(await tree.head(path, headBytes));
  const delimiter = csv?.delimiter ?? guessDelimiter(head);
  const file = await tree.openFile(path);
  try {
    const names = await readHeader(file, path, delimiter);
    return new CsvTable(file, path, names, delimiter, csv?.decimal ?? '.');
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** Returns the candidate delimiter that occurs most often in the first line outside quotes. */
function guessDelimiter(head: Buffer): string {
  const text = head.toString('latin1');
  const start = text.search(/[^\r\n\xef\xbb\xbf]/);
  const line = text
    .slice(Math.max(0, start))
    .split(/[\r\n]/, 1)[0]
    .replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => line.split(delimiter).length - 1;
  return [',', ';', '\t', '|'].reduce((best, next) => (count(next) > count(best) ? next : best));
}

async function readHeader(file: ReadableFile, path: string, delimiter: string): Promise<string[]> {
  const scanner = new CsvScanner(file, path, { delimiter });
  let names: string[] | null = null;
  const takeRecord = (record: CsvRecord) => {
    names ??= Array.from({ length: record.fields }, (_, at) => fieldText(record, at).trim());
  };
  while (names === null && (await scanner.readBlock(takeRecord)));
  if (names !== null) return names;
  throw new AssayError('unreadable_input', `${path} has no header line`, {
    path,
    advice: 'add a first line with the column names',
  });
}

class CsvTable implements Table {
  readonly columns: readonly TableColumn[];
  readonly #file: ReadableFile;
  readonly #names: readonly string[];
  readonly #scanner: CsvScanner;
  readonly #decimal: number;
  readonly #ranges: RowRanges;
  #stamps: readonly StampParser[] = [];

  constructor(
    file: ReadableFile,
    path: string,
    names: readonly string[],
    delimiter: string,
    decimal: string,
  ) {
    this.#file = file;
    this.#names = names;
    this.#decimal = decimal.charCodeAt(0);
    this.#scanner = new CsvScanner(file, path, { delimiter });
    this.#ranges = new RowRanges(() => new CsvIssues(path, names));
    this.columns = names.map((name) => ({ name, kind: 'number', precision: 'float64' }));
  }

  get position(): number {
    return this.#scanner.position;
  }

  async *chunks(plan: TablePlan): AsyncGenerator<TableChunk> {
    this.#stamps = plan.stamps.map(({ unit }) => new StampParser(unit, this.#decimal));
    let fullChunks: CsvChunk[] = [];
    let rows = this.#rows(plan);
    let isHeader = true;
    const takeRecord = (record: CsvRecord) => {
      if (isHeader) {
        isHeader = false;
        return;
      }
      rows.add(record);
      if (rows.rows < chunkRows) return;
      fullChunks.push(rows);
      rows = this.#rows(plan);
    };
    for (let more = true; more; ) {
      more = await this.#scanner.readBlock(takeRecord);
      yield* fullChunks;
      fullChunks = [];
    }
    if (rows.rows > 0) yield rows;
  }

  #rows(plan: TablePlan): CsvChunk {
    return new CsvChunk(plan, {
      names: this.#names,
      parsers: this.#stamps,
      decimal: this.#decimal,
      ranges: this.#ranges,
    });
  }

  origins(): readonly (bigint | null)[] {
    return this.#stamps.map(({ origin }) => origin);
  }

  takeFindings(key: number): readonly Finding[] {
    return this.#ranges.takeFindings(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

/** State that all chunks of a file share. */
interface FileState {
  readonly names: readonly string[];
  /** One parser per clock. */
  readonly parsers: readonly StampParser[];
  readonly decimal: number;
  readonly ranges: RowRanges;
}

/** Assigns a number to each run of rows with one text in the key column, and collects the issues of each run. */
class RowRanges {
  /** Number of the current run of rows. */
  key = 0;
  issues: CsvIssues;
  #text: string | null = null;
  readonly #byKey = new Map<number, CsvIssues>();
  readonly #noIssues: () => CsvIssues;

  constructor(createIssues: () => CsvIssues) {
    this.#noIssues = createIssues;
    this.issues = createIssues();
    this.#byKey.set(this.key, this.issues);
  }

  enter(text: string | null): void {
    if (text === this.#text) return;
    this.#text = text;
    this.key++;
    this.issues = this.#noIssues();
    this.#byKey.set(this.key, this.issues);
  }

  takeFindings(key: number): readonly Finding[] {
    const found = this.#byKey.get(key)?.takeFindings() ?? [];
    if (key !== this.key) this.#byKey.delete(key);
    return found;
  }
}

/** A chunk of rows, filled first and then read. */
class CsvChunk implements TableChunk {
  rows = 0;
  readonly numbers: readonly { readonly values: Float64Array; readonly width: 1 }[];
  readonly stamps: readonly Float64Array[];
  readonly keys: Float64Array | null;
  readonly #texts: (string | null)[][];
  readonly #fieldIndices: Readonly<Record<'numbers' | 'stamps' | 'texts', readonly number[]>>;
  readonly #state: FileState;

  constructor(plan: TablePlan, state: FileState) {
    const columnIndex = ({ name }: TableColumn) => state.names.indexOf(name);
    const texts = plan.key === null ? plan.texts : [...plan.texts, plan.key];
    this.#state = state;
    this.#fieldIndices = {
      numbers: plan.numbers.map(columnIndex),
      stamps: plan.stamps.map(({ column }) => columnIndex(column)),
      texts: texts.map(columnIndex),
    };
    this.numbers = plan.numbers.map(() => ({ values: new Float64Array(chunkRows), width: 1 as const }));
    this.stamps = plan.stamps.map(() => new Float64Array(chunkRows));
    this.keys = plan.key === null ? null : new Float64Array(chunkRows);
    this.#texts = texts.map(() => []);
  }

  text(column: number, row: number): string | null {
    return this.#texts[column][row];
  }

  add(record: CsvRecord): void {
    const { names, ranges } = this.#state;
    const row = this.rows++;
    const { texts } = this.#fieldIndices;
    for (let at = 0; at < texts.length; at++) this.#texts[at].push(readText(record, texts[at]));
    if (this.keys !== null) {
      ranges.enter(this.#texts[this.#texts.length - 1][row]);
      this.keys[row] = ranges.key;
    }
    if (record.fields !== names.length) ranges.issues.addRagged(record);
    this.#addNumbers(record, row);
    this.#addStamps(record, row);
  }

  #addNumbers(record: CsvRecord, row: number): void {
    const { bytes, fields, starts, ends } = record;
    const { decimal, ranges } = this.#state;
    const { issues } = ranges;
    const { numbers } = this.#fieldIndices;
    for (let at = 0; at < numbers.length; at++) {
      const field = numbers[at];
      let value = Number.NaN;
      if (field < fields && ends[field] > starts[field]) {
        value = parseNumber(bytes, starts[field], ends[field], decimal);
        if (Number.isNaN(value) && !isMissingMarker(fieldText(record, field)))
          issues.addNotNumeric(record, field);
      }
      this.numbers[at].values[row] = value;
    }
  }

  #addStamps(record: CsvRecord, row: number): void {
    const { bytes, fields, starts, ends } = record;
    const { parsers, ranges } = this.#state;
    const { issues } = ranges;
    const { stamps } = this.#fieldIndices;
    for (let at = 0; at < stamps.length; at++) {
      const field = stamps[at];
      const time_s = field < fields ? parsers[at].seconds(bytes, starts[field], ends[field]) : Number.NaN;
      if (Number.isNaN(time_s)) issues.addMissingStamp(record, field);
      this.stamps[at][row] = time_s;
    }
  }
}

function readText(record: CsvRecord, field: number): string | null {
  if (field >= record.fields) return null;
  const text = fieldText(record, field);
  return text === '' ? null : text;
}
