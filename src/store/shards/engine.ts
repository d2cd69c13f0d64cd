import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

let opened: Promise<DuckDBInstance> | null = null;
const idle: DuckDBConnection[] = [];
const lent = new Set<DuckDBConnection>();

/**
 * A connection to the thread's in-memory DuckDB for shards, one user's until `giveBack`: of two queries at once on one
 * connection the first is ended. One engine thread, and nothing fetched or spilled.
 */
export async function borrow(): Promise<DuckDBConnection> {
  opened ??= open();
  const instance = await opened;
  const connection = idle.pop() ?? (await instance.connect());
  lent.add(connection);
  return connection;
}

export function giveBack(connection: DuckDBConnection): void {
  lent.delete(connection);
  idle.push(connection);
}

/** Ends the queries over shards that this thread has under way, which then fail. */
export function interruptShards(): void {
  for (const connection of lent) connection.interrupt();
}

async function open(): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  return DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: '256MB',
    temp_directory: '',
    enable_external_file_cache: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
}

/** A path as an SQL literal; glob characters stand for themselves. */
export function sqlPath(path: string, purpose: 'read' | 'write'): string {
  const literal = purpose === 'read' ? path.replace(/[*?[]/g, (character) => `[${character}]`) : path;
  return `'${literal.replaceAll("'", "''")}'`;
}
