import { AssayError } from '#kernel';
import type { ReadableFile } from '../bytes/byte-store.ts';
import { FindingList } from '../finding-list.ts';
import { columnsOf } from './create-table.ts';
import { type FileHeader, headerBytes, parseFileHeader } from './file-header.ts';
import { type Overlay, type OverlayResult, readFully } from './overlay.ts';
import { PageStore, type SeenBytes } from './page-store.ts';
import { readRollbackJournal } from './rollback-journal.ts';
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
  readonly file: ReadableFile;
  readonly bytes: number;
}

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
export class Database {
  readonly problems: FindingList;
  readonly #store: PageStore;
  readonly #header: FileHeader;
  readonly #schema = new Map<string, SchemaEntry>();

  private constructor(header: FileHeader, store: PageStore, problems: FindingList) {
    this.problems = problems;
    this.#header = header;
    this.#store = store;
  }

  /** Throws `unreadable_input` where the header or the list of tables cannot be read. */
  static async open(files: DatabaseFiles, seen: SeenBytes | null = null): Promise<Database> {
    const { path, main } = files;
    const head = new Uint8Array(headerBytes);
    const first = parseFileHeader(head.subarray(0, await readFully(main.file, head, 0)), path);
    const problems = new FindingList(path);
    const overlay = await overlayOf(files, first.page_bytes, problems);
    const header = overlay === null ? first : await headerThrough(overlay, first, path);
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
    const database = new Database(header, store, problems);
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
    return columnsOf(this.#entry(table).sql, table).names;
  }

  /**
   * Rows of a table with the wanted columns, in that order; one that the table has not is always null. The column
   * that is the row's number is null too: it is the scan's `rowid`.
   */
  scan(table: string, wanted: readonly string[]): TableScan {
    const { root, sql } = this.#entry(table);
    const { names } = columnsOf(sql, table);
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
      throw new AssayError('unreadable_input', `${path} holds no table ${table}${why}`, { path });
    }
    if (entry.type === 'table' && entry.root > 0) return entry;
    const what = entry.type === 'view' ? 'a view' : 'a table of an extension';
    throw new AssayError('unsupported_version', `${table} is ${what}, and those are not run`, {
      path,
      advice: 'write the rows into a plain table (ros2 bag convert)',
    });
  }
}

async function overlayOf(
  { wal, journal }: DatabaseFiles,
  page_bytes: number,
  problems: FindingList,
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

function report(
  suffix: string,
  code: string,
  { overlay, problem }: OverlayResult,
  problems: FindingList,
): void {
  const name = `${problems.path}${suffix}`;
  if (problem !== null) {
    const message = `${name} was left out: ${problem}`;
    problems.report(
      `${code}_unusable`,
      'warning',
      message,
      'copy both files again while nothing writes to them',
    );
  }
  if (overlay === null) return;
  const pages = overlay.places.size;
  const [message, advice] =
    code === 'wal'
      ? [
          `${pages} pages were taken from ${name}, where the recorder had left them`,
          'keep both files together',
        ]
      : [
          `the recorder stopped in the middle of a transaction: ${pages} pages were read as ${name} has them from before it`,
          'keep both files together; what the transaction held is lost',
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
function pagesOf({ pages, page_bytes }: FileHeader, bytes: number, problems: FindingList): number {
  const held = Math.floor(bytes / page_bytes);
  if (pages === null || pages <= held) return pages ?? held;
  problems.report(
    'file_truncated',
    'error',
    `the file is to have ${pages} pages of ${page_bytes} bytes and holds ${held}`,
    'fetch the file again; what is there was read',
  );
  return held;
}
