import { AssayError, type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { Finding } from '#core/episode';
import type { ReadableFile, SourceTree } from '#io/sources';
import { parseRecord } from '../shared/text/json-list.ts';
import { JsonScanner, type RecordChoice, type ScannedRecord, scanFile } from '../shared/text/json-scanner.ts';
import { StampParser } from './csv-fields.ts';
import type { FileValue, Table, TableChunk, TableColumn, TablePlan } from './table.ts';

/** Records from which the columns are derived. */
const sampledRecords = 64;
const maxColumns = 10_000;
const maxColumnDepth = 8;
const maxWidth = 10_000;
const maxValues = 1000;
const maxTextLength = 64 * 1024;

/** A column and its place in a record. */
interface JsonColumn extends TableColumn {
  readonly keys: readonly string[];
}

/**
 * Opens a JSON document or JSON Lines as a table: each object of the list at `rows` is a row, and its members are the
 * columns, named by dotted paths such as `states.left_arm.qpos`.
 * @param rows dotted path of the list; `null` if the document is the list, and for JSON Lines
 * @throws AssayError `unreadable_input` if there are no records, `limit_exceeded` if it is nested too deeply
 */
export async function openJsonTable(tree: SourceTree, path: string, rows: string | null): Promise<Table> {
  await assertUtf8(tree, path);
  const file = await tree.openFile(path);
  try {
    const scanner = new JsonScanner(path, choiceOf(rows));
    const sample: JsonObject[] = [];
    for await (const { records } of scanFile(file, scanner)) {
      sample.push(...parseRecords(records, path).slice(0, sampledRecords - sample.length));
      if (sample.length >= sampledRecords) break;
    }
    assertRecords(path, rows, sample, scanner);
    return new JsonTable(file, path, rows, listColumns(sample));
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** A path that matches no list, so that a JSON object is searched for lists instead of being read as JSON Lines. */
const noRecords: RecordChoice = { of: 'elements', path: '\0' };

/** Returns the number of objects in each list of a JSON file by dotted path; '' for the document itself. */
export async function countJsonLists(tree: SourceTree, path: string): Promise<ReadonlyMap<string, number>> {
  await using file = await tree.openFile(path);
  const head = Buffer.from(await tree.head(path, 64));
  const isList = /^[^{]*\[/.test(head.toString('latin1'));
  const scanner = new JsonScanner(path, isList ? { of: 'lines' } : noRecords);
  for await (const _ of scanFile(file, scanner));
  return scanner.lists;
}

/** Returns which objects are records: those of the list at `rows`, or of a list or JSON Lines if it is `null`. */
const choiceOf = (rows: string | null): RecordChoice =>
  rows === null ? { of: 'lines' } : { of: 'elements', path: rows };

/** @throws AssayError `unreadable_input` for UTF-16 text */
async function assertUtf8(tree: SourceTree, path: string): Promise<void> {
  const [first = 0, second = 0] = await tree.head(path, 2);
  if (first + second === 0xff + 0xfe)
    throw new AssayError('unreadable_input', `${path} is UTF-16 text`, { path, advice: 'save it as UTF-8' });
}

function parseRecords(records: readonly ScannedRecord[], path: string): JsonObject[] {
  return records.map(({ bytes }) => parseRecord(bytes, path)).filter((record) => record !== null);
}

/** @throws AssayError that names the lists of the file if the mapping names none of them */
function assertRecords(
  path: string,
  rows: string | null,
  sample: readonly JsonObject[],
  { lists }: JsonScanner,
): void {
  const inRecord = rows === null && sample.length === 1 ? Object.entries(sample[0]) : [];
  const inner = inRecord.flatMap(([key, value]) => (isRecordList(value) ? [key] : []));
  if (sample.length > 0 && inner.length === 0) return;
  const found = [...inner, ...lists.keys()].filter((name) => name !== '').slice(0, 5);
  const advice =
    found.length === 0
      ? 'set rows in the mapping to the path of the list that has one object per sample'
      : `set rows in the mapping to the list that has one object per sample: ${found.join(', ')}`;
  const place = rows === null ? '' : ` at ${rows}`;
  throw new AssayError('unreadable_input', `${path} has no list of records${place}`, { path, advice });
}

const isRecordList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length > 1 && value.every(isObject);

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Derives the columns from some records. Members that are `null` or empty in all of them are lists without numbers. */
function listColumns(sample: readonly JsonObject[]): JsonColumn[] {
  const found = new Map<string, { keys: readonly string[]; kinds: Set<TableColumn['kind'] | null> }>();
  const visit = (value: JsonValue, keys: readonly string[]): void => {
    if (isObject(value) && keys.length < maxColumnDepth) {
      for (const [key, member] of Object.entries(value)) visit(member, [...keys, key]);
      return;
    }
    const name = JSON.stringify(keys);
    const column = found.get(name) ?? { keys, kinds: new Set() };
    column.kinds.add(kindOf(value));
    if (found.has(name) || found.size < maxColumns) found.set(name, column);
  };
  for (const record of sample) visit(record, []);
  return [...found.values()].flatMap(({ keys, kinds }) =>
    keys.length === 0
      ? []
      : [{ name: keys.join('.'), keys, kind: commonKind(kinds), precision: 'float64' as const }],
  );
}

/** Returns the kind of a value; `null` if it does not tell. */
function kindOf(value: JsonValue): TableColumn['kind'] | null {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return 'number';
  if (typeof value === 'string') return 'text';
  let first: JsonValue | undefined = value;
  for (let depth = 0; Array.isArray(first) && depth < maxColumnDepth; depth++) first = first[0];
  return typeof first === 'number' || typeof first === 'boolean' || first === null ? 'list' : 'other';
}

function commonKind(kinds: ReadonlySet<TableColumn['kind'] | null>): TableColumn['kind'] {
  for (const kind of ['text', 'other', 'list', 'number'] as const) if (kinds.has(kind)) return kind;
  return 'list';
}

class JsonTable implements Table {
  readonly columns: readonly JsonColumn[];
  position = 0;
  readonly #file: ReadableFile;
  readonly #path: string;
  readonly #rows: string | null;
  #stamps: readonly StampParser[] = [];
  #findings: Finding[] = [];
  #document: Promise<JsonValue> | null = null;
  #lastKey: string | null = null;
  #key = 0;

  constructor(file: ReadableFile, path: string, rows: string | null, columns: readonly JsonColumn[]) {
    this.#file = file;
    this.#path = path;
    this.#rows = rows;
    this.columns = columns;
  }

  async *chunks(plan: TablePlan): AsyncGenerator<TableChunk> {
    this.#stamps = plan.stamps.map(({ unit }) => new StampParser(unit));
    const scanner = new JsonScanner(this.#path, choiceOf(this.#rows));
    let [total, broken] = [0, 0];
    for await (const { records, position } of scanFile(this.#file, scanner)) {
      const parsed = parseRecords(records, this.#path);
      total += parsed.length;
      broken += records.length - parsed.length;
      this.position = position;
      if (parsed.length > 0) yield this.#chunk(plan, parsed);
    }
    this.#findings.push(...recordFindings(this.#path, total, broken + scanner.tooLong, scanner.shape));
  }

  #chunk(plan: TablePlan, records: readonly JsonObject[]): TableChunk {
    const texts = [...plan.texts, ...(plan.key === null ? [] : [plan.key])].map((column) =>
      records.map((record) => textOf(this.#member(record, column))),
    );
    return {
      rows: records.length,
      numbers: plan.numbers.map((column) =>
        numbersOf(
          records.map((record) => this.#member(record, column)),
          column,
        ),
      ),
      stamps: plan.stamps.map(({ column }, at) =>
        Float64Array.from(records, (record) => {
          const value = this.#member(record, column);
          const isStamp = typeof value === 'number' || typeof value === 'string';
          return isStamp ? this.#stamps[at].secondsOf(value) : Number.NaN;
        }),
      ),
      keys: plan.key === null ? null : this.#keys(texts[texts.length - 1]),
      text: (column, row) => texts[column][row],
    };
  }

  #member(record: JsonObject, column: TableColumn): JsonValue | undefined {
    let value: JsonValue | undefined = record;
    for (const key of (column as JsonColumn).keys) {
      if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
      value = value[key];
    }
    return value;
  }

  /** Numbers the runs of rows with the same text. */
  #keys(texts: readonly (string | null)[]): Float64Array {
    return Float64Array.from(texts, (text) => {
      if (text !== this.#lastKey) this.#key++;
      this.#lastKey = text;
      return this.#key;
    });
  }

  origins(): readonly (bigint | null)[] {
    return this.#stamps.map(({ origin }) => origin);
  }

  takeFindings(): readonly Finding[] {
    return this.#findings.splice(0);
  }

  async values(): Promise<ReadonlyMap<string, FileValue>> {
    const found = new Map<string, FileValue>();
    const visit = (value: JsonValue, keys: readonly string[]): void => {
      if (isObject(value) && keys.length < maxColumnDepth) {
        for (const [key, member] of Object.entries(value)) visit(member, [...keys, key]);
        return;
      }
      const own = toFileValue(value);
      if (own !== null && keys.length > 0 && found.size < maxValues) found.set(keys.join('.'), own);
    };
    visit(await this.#outside(), []);
    return found;
  }

  async value(path: string): Promise<FileValue | null> {
    return toFileValue(findMember(await this.#outside(), path));
  }

  /** Returns the document without its records; `null` for lists, JSON Lines and damaged documents. */
  #outside(): Promise<JsonValue> {
    this.#document ??= this.#rows === null ? Promise.resolve(null) : this.#readOutside();
    return this.#document;
  }

  async #readOutside(): Promise<JsonValue> {
    const scanner = new JsonScanner(this.#path, choiceOf(this.#rows));
    for await (const _ of scanFile(this.#file, scanner));
    const text = scanner.outside;
    try {
      return text === null ? null : parseTolerantJson(text, this.#path).value;
    } catch (thrown) {
      if (thrown instanceof AssayError) return null;
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

/** Returns the member at a dotted path; keys may themselves contain dots. */
function findMember(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    const found = Object.hasOwn(value, key) ? findMember(value[key], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function toFileValue(value: JsonValue | undefined): FileValue | null {
  if (typeof value === 'string') return value.slice(0, maxTextLength);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === '' || value === undefined || value === null || typeof value === 'object') return null;
  return String(value);
}

/** Returns numbers row by row; lists are as wide as the longest of the chunk, and NaN stands for missing numbers. */
function numbersOf(
  values: readonly (JsonValue | undefined)[],
  { kind }: TableColumn,
): TableChunk['numbers'][number] {
  if (kind === 'number') return { values: Float64Array.from(values, toNumber), width: 1 };
  const rows = values.map((value) => (Array.isArray(value) ? flatten(value) : []));
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const numbers = new Float64Array(rows.length * width).fill(Number.NaN);
  for (const [at, row] of rows.entries()) numbers.set(row, at * width);
  return { values: numbers, width };
}

function toNumber(value: JsonValue | undefined): number {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? value : Number.NaN;
}

/** Returns the numbers of nested lists in order, at most `maxWidth`. */
function flatten(list: readonly JsonValue[]): number[] {
  const numbers: number[] = [];
  const visit = (values: readonly JsonValue[], depth: number): void => {
    for (const value of values) {
      if (numbers.length >= maxWidth) return;
      if (!Array.isArray(value)) numbers.push(toNumber(value));
      else if (depth < maxColumnDepth) visit(value, depth + 1);
    }
  };
  visit(list, 0);
  return numbers;
}

function recordFindings(path: string, total: number, broken: number, shape: JsonScanner['shape']): Finding[] {
  const findings: Finding[] = [];
  if (shape === 'cut')
    findings.push({
      code: 'file_truncated',
      severity: 'error',
      path,
      message: `${path} ends before its last bracket: the recorder was interrupted or the copy is incomplete; ${total} records were read`,
      advice: 'copy the file again; if it was recorded like this, the end of the episode is missing',
      evidence: { records: total },
    });
  if (broken > 0)
    findings.push({
      code: 'records_unreadable',
      severity: 'error',
      path,
      message: `${path}: ${broken} of ${total + broken} records are not valid JSON or are longer than 4 MiB, and were left out`,
      advice: 'write these records again, and store images in separate files',
      evidence: { records: broken },
    });
  return findings;
}
