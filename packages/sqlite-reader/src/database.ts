import { columnsOf } from './create-table.ts';
import { plainTable, SqliteError } from './errors.ts';
import { type FileHeader, headerBytes, parseFileHeader } from './file-header.ts';
import { type Overlay, type OverlayResult, readFully } from './overlay.ts';
import { PageStore, type SeenBytes } from './page-store.ts';
import { ProblemList, type Problems } from './problems.ts';
import { readRollbackJournal } from './rollback-journal.ts';
import type { ByteRanges } from './source.ts';
import { TableScan } from './table-scan.ts';
import { readWriteAheadLog } from './write-ahead-log.ts';

/** A file and what lies beside it under the same name. */
export interface DatabaseFiles {
  readonly path: string;
  readonly main: SizedFile;
  readonly wal: SizedFile | null;
  readonly journal: SizedFile | null;
}

export interface SizedFile {
  readonly file: ByteRanges;
  readonly bytes: number;
}

export interface OpenOptions<List extends Problems> {
  /** Where problems go; `ProblemList` without it. */
  readonly problems: List;
  /** Sees the bytes of the main file as they are read, to hash them on the way. */
  readonly seen?: SeenBytes | null;
  /** Makes the errors that are thrown; without it they are `SqliteError`. */
  readonly toError?: ToError;
}

/** Makes the error that is thrown out of a `SqliteError`, for programs that have a class of their own. */
export type ToError = (error: SqliteError) => Error;

interface SchemaEntry {
  readonly type: string;
  readonly root: number;
  readonly sql: string;
}

const maxSchemaRows = 4096;
const maxTextBytes = 4 * 1024 * 1024;

/**
 * Reads tables of an SQLite file without running anything of it: no SQL, no trigger, no view, no extension. What is
 * damaged is reported in `problems` and left out.
 */
export class Database<List extends Problems = ProblemList> {
  readonly problems: List;
  readonly #toError: ToError;
  readonly #store: PageStore;
  readonly #header: FileHeader;
  readonly #schema = new Map<string, SchemaEntry>();

  private constructor(header: FileHeader, store: PageStore, problems: List, toError: ToError) {
    this.#toError = toError;
    this.problems = problems;
    this.#header = header;
    this.#store = store;
  }

  /** Throws `SqliteError` where the header or the list of tables cannot be read. It closes no file. */
  static open(files: DatabaseFiles, options?: Omit<OpenOptions<never>, 'problems'>): Promise<Database>;
  static open<List extends Problems>(
    files: DatabaseFiles,
    options: OpenOptions<List>,
  ): Promise<Database<List>>;
  static async open(
    files: DatabaseFiles,
    options: Partial<OpenOptions<Problems>> = {},
  ): Promise<Database<Problems>> {
    const { path, main } = files;
    const { problems = new ProblemList(path), seen = null, toError = asItIs } = options;
    const head = new Uint8Array(headerBytes);
    const filled = await readFully(main.file, head, 0);
    const first = orThrow(toError, () => parseFileHeader(head.subarray(0, filled), path));
    const overlay = await overlayOf(files, first.page_bytes, problems);
    const header =
      overlay === null ? first : await headerThrough(overlay, first, path).catch(throwing(toError));
    const pages =
      overlay === null ? pagesOf(header, main.bytes, problems) : overlaidPages(overlay, header, main.bytes);
    const { page_bytes } = header;
    const store = new PageStore(main.file, main.bytes, {
      page_bytes,
      pages,
      declared_pages: overlay?.pages ?? header.pages ?? pages,
      overlay,
      seen,
    });
    const database = new Database(header, store, problems, toError);
    await database.#readSchema();
    return database;
  }

  /** Its writer kept a write-ahead log beside it, as the header says. */
  get hasLog(): boolean {
    return this.#header.has_log;
  }

  /** What the schema calls `table`, `view`, `trigger`, … null: nothing has the name. */
  typeOf(name: string): string | null {
    return this.#schema.get(name)?.type ?? null;
  }

  /** Names of columns of a table, lower case; throws as `columnsOf` does. */
  columns(table: string): readonly string[] {
    return orThrow(this.#toError, () => columnsOf(this.#entry(table).sql, table).names);
  }

  /**
   * Rows of a table with the wanted columns, in that order; one that the table has not is always null. The column
   * that is the row's number is null too: it is the scan's `rowid`.
   */
  scan(table: string, wanted: readonly string[]): TableScan {
    const { root } = orThrow(this.#toError, () => this.#entry(table));
    const names = this.columns(table);
    return this.#scanAt(
      root,
      wanted.map((name) => names.indexOf(name)),
    );
  }

  /** The text of a column of the row last taken; null where it holds none. */
  text({ row }: TableScan, slot: number): string | null {
    if (!row.isBytes(slot)) return null;
    const start = row.start(slot);
    const end = Math.min(row.end(slot), start + maxTextBytes);
    return new TextDecoder(this.#header.encoding).decode(row.bytes.subarray(start, end));
  }

  #scanAt(root: number, columns: readonly number[]): TableScan {
    return new TableScan(this.#store, this.#header.usable_bytes, { root, columns, problems: this.problems });
  }

  async #readSchema(): Promise<void> {
    const scan = this.#scanAt(1, [0, 1, 3, 4]);
    while (await scan.more()) {
      while (scan.next()) {
        const [type, name, sql] = [0, 1, 3].map((slot) => this.text(scan, slot) ?? '');
        const root = scan.row.number(2);
        // An index has the name space of tables to itself; a trigger may carry a table's name.
        if (type === 'table' || (type === 'view' && !this.#schema.has(name))) {
          this.#schema.set(name, { type, root: Number.isInteger(root) ? root : 0, sql });
        }
        if (scan.rows >= maxSchemaRows) return;
      }
    }
  }

  #entry(table: string): SchemaEntry {
    const entry = this.#schema.get(table);
    const { path } = this.problems;
    if (entry === undefined) {
      const [damage] = this.problems.all();
      const why = damage === undefined ? '' : `: ${damage.message}`;
      throw new SqliteError('no_table', `no table ${table} in ${path}${why}`, path, null);
    }
    if (entry.type === 'table' && entry.root > 0) return entry;
    const what = entry.type === 'view' ? 'a view' : 'a virtual table';
    throw new SqliteError('not_run', `${table} is ${what}, which is not supported`, path, plainTable);
  }
}

const asItIs: ToError = (error) => error;

const throwing =
  (toError: ToError) =>
  (thrown: unknown): never => {
    throw thrown instanceof SqliteError ? toError(thrown) : thrown;
  };

/** What `work` gives; its `SqliteError` is thrown as the caller wants it. */
function orThrow<T>(toError: ToError, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    return throwing(toError)(thrown);
  }
}

async function overlayOf(
  { wal, journal }: DatabaseFiles,
  page_bytes: number,
  problems: Problems,
): Promise<Overlay | null> {
  if (wal !== null && wal.bytes > 0) {
    const result = await readWriteAheadLog(wal.file, wal.bytes, page_bytes);
    report('-wal', 'wal', result, problems);
    if (result.overlay !== null) return { ...result.overlay, file: wal.file };
  }
  if (journal === null || journal.bytes === 0) return null;
  const result = await readRollbackJournal(journal.file, journal.bytes, page_bytes);
  report('-journal', 'journal', result, problems);
  return result.overlay === null ? null : { ...result.overlay, file: journal.file };
}

function report(suffix: string, code: string, { overlay, problem }: OverlayResult, problems: Problems): void {
  const name = `${problems.path}${suffix}`;
  if (problem !== null) {
    const message = `${name} was ignored: ${problem}`;
    problems.report(
      `${code}_unusable`,
      'warning',
      message,
      'copy both files again while no process writes to them',
    );
  }
  if (overlay === null) return;
  const pages = overlay.places.size;
  const [message, advice] =
    code === 'wal'
      ? [`${pages} pages were read from ${name}, where the recorder left them`, 'keep both files together']
      : [
          `the recorder was killed during a transaction: ${pages} pages were rolled back from ${name}`,
          'keep both files together; the data of the transaction is lost',
        ];
  problems.report(`${code}_applied`, code === 'wal' ? 'info' : 'warning', message, advice);
}

/** The header as it stands in the overlay, where page 1 does. */
async function headerThrough(overlay: Overlay, first: FileHeader, path: string): Promise<FileHeader> {
  const place = overlay.places.get(1);
  if (place === undefined) return first;
  const head = new Uint8Array(headerBytes);
  await readFully(overlay.file, head, place);
  const header = parseFileHeader(head, path);
  return header.page_bytes === first.page_bytes ? header : first;
}

/** Pages past the end of the file have to be in the overlay, or there are none. */
function overlaidPages({ pages, places }: Overlay, { page_bytes }: FileHeader, bytes: number): number {
  return Math.min(pages, Math.floor(bytes / page_bytes) + places.size);
}

/** Pages there can be: what the header says, and no more than the file holds. */
function pagesOf({ pages, page_bytes }: FileHeader, bytes: number, problems: Problems): number {
  const held = Math.floor(bytes / page_bytes);
  if (pages === null || pages <= held) return pages ?? held;
  problems.report(
    'file_truncated',
    'error',
    `truncated file: ${held} of ${pages} pages of ${page_bytes} bytes`,
    'copy or download the file again; the existing part was read',
  );
  return held;
}
