import { isMachineFault, messageOf, wrapReadError } from '#core';
import type { Connection, Database } from './connection.ts';

/** Memory limit of DuckDB's own buffers; data is streamed, so nothing needs more. */
const memoryLimit = '192MB';

interface Engine {
  readonly database: Promise<Database>;
  readonly idle: Connection[];
}

let engine: Engine | null = null;
const engineOf = new WeakMap<Connection, Engine>();
const borrowed = new Set<Connection>();

/**
 * Borrows a connection to this thread's in-memory DuckDB for one query; return it with `returnConnection`. A second
 * query on a connection in use would end the first one and silently lose its rows. DuckDB uses one thread: workers are
 * the unit of parallelism, and rows arrive in file order. Extensions are neither searched nor downloaded.
 */
export async function borrowConnection(): Promise<Connection> {
  engine ??= { database: openEngine(), idle: [] };
  const home = engine;
  const connection = home.idle.pop() ?? (await (await home.database).connect());
  engineOf.set(connection, home);
  borrowed.add(connection);
  return connection;
}

/**
 * Makes a borrowed connection available again; pass the error of its query as `failure`, which is not thrown.
 *
 * A damaged file can trip a DuckDB assertion, after which the engine rejects every query; the next query then gets a
 * new engine. A fault of the machine is recorded.
 */
export function returnConnection(connection: Connection, failure?: unknown): void {
  borrowed.delete(connection);
  if (isMachineFault(failure)) wrapReadError(failure, 'a Parquet file');
  const home = engineOf.get(connection);
  if (home === undefined || home !== engine) return;
  if (/^(INTERNAL|FATAL) Error/.test(messageOf(failure))) engine = null;
  else home.idle.push(connection);
}

/** Closes this thread's DuckDB and its file caches; no query may be running, and the next query opens a new one. */
export async function closeDuckDb(): Promise<void> {
  const closing = engine;
  engine = null;
  if (closing === null) return;
  for (const connection of closing.idle) connection.close();
  (await closing.database).close();
}

/** Interrupts the running queries of this thread, which then fail. */
export function interruptQueries(): void {
  for (const connection of borrowed) connection.interrupt();
}

async function openEngine(): Promise<Database> {
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

/**
 * Enables or disables caching of parsed Parquet footers: useful for a few large files, harmful for 100,000 small ones.
 */
export async function cacheFooters(keep: boolean): Promise<void> {
  const connection = await borrowConnection();
  try {
    await connection.run(`SET GLOBAL parquet_metadata_cache = ${keep}`);
  } finally {
    returnConnection(connection);
  }
}

/** Quotes a string as an SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes a column name as an SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns a `read_parquet` expression over one or more absolute paths with the same columns. Glob characters in paths
 * are escaped.
 */
export function parquetSource(paths: readonly string[], options = ''): string {
  const list = paths.map((path) => sqlText(escapeGlob(path))).join(', ');
  return `read_parquet([${list}]${options === '' ? '' : `, ${options}`})`;
}

/** Escapes the glob characters of a path with bracket expressions, because DuckDB expands globs in file names. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[]/g, (character) => `[${character}]`);
}
