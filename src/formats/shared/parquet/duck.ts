import { asUnreadable, isMachineFault, messageOf } from '#core';
import type { Connection, Database } from './connection.ts';

/** Bounds the engine's own buffers: what is read streams through, nothing needs more. */
const memoryLimit = '192MB';

interface Engine {
  readonly database: Promise<Database>;
  readonly idle: Connection[];
}

let engine: Engine | null = null;
const homes = new WeakMap<Connection, Engine>();
const lent = new Set<Connection>();

/**
 * A connection to the thread's in-memory DuckDB for one query, which `giveBack` returns: on a connection in use a new
 * query would end the one under way, and its rows would be missing without a word. One engine thread each: workers are
 * the unit of parallelism, and rows arrive in the order of the file. Extensions are neither looked for nor fetched.
 */
export async function borrow(): Promise<Connection> {
  engine ??= { database: open(), idle: [] };
  const home = engine;
  const connection = home.idle.pop() ?? (await (await home.database).connect());
  homes.set(connection, home);
  lent.add(connection);
  return connection;
}

/**
 * Takes a connection back, and what its query failed with. A damaged file can trip an assertion of the engine, after
 * which it refuses every query, of sound files too: the next query then gets an engine of its own.
 */
export function giveBack(connection: Connection, failure?: unknown): void {
  lent.delete(connection);
  if (isMachineFault(failure)) asUnreadable(failure, 'a Parquet file');
  const home = homes.get(connection);
  if (home === undefined || home !== engine) return;
  if (/^(INTERNAL|FATAL) Error/.test(messageOf(failure))) engine = null;
  else home.idle.push(connection);
}

/** Closes the DuckDB of this thread and what it remembers of files; no query may be under way. The next one opens another. */
export async function closeDuckDb(): Promise<void> {
  const closing = engine;
  engine = null;
  if (closing === null) return;
  for (const connection of closing.idle) connection.close();
  (await closing.database).close();
}

/** Ends the queries of this thread that are under way, which then fail. */
export function interruptQueries(): void {
  for (const connection of lent) connection.interrupt();
}

async function open(): Promise<Database> {
  const { openDatabase } = await import('./connection.ts');
  return openDatabase({
    threads: '1',
    memory_limit: memoryLimit,
    temp_directory: '',
    enable_external_file_cache: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
}

/** Keep parsed footers: right for a few large files, wrong for 100,000 small ones. */
export async function keepFooters(keep: boolean): Promise<void> {
  const connection = await borrow();
  try {
    await connection.run(`SET GLOBAL parquet_metadata_cache = ${keep}`);
  } finally {
    giveBack(connection);
  }
}

/** A text as an SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A column's name as an SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * `read_parquet` over absolute paths, one or many with the same columns. Glob characters in a path are taken as they
 * are written.
 */
export function parquetSource(paths: readonly string[], options = ''): string {
  const list = paths.map((path) => sqlText(escapeGlob(path))).join(', ');
  return `read_parquet([${list}]${options === '' ? '' : `, ${options}`})`;
}

/** DuckDB expands globs in file names; a bracket expression makes each special character stand for itself. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[]/g, (character) => `[${character}]`);
}
