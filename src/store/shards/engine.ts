import type { DuckDBConnection } from '@duckdb/node-api';

let opened: Promise<DuckDBConnection> | null = null;

/** The thread's connection to an in-memory DuckDB for shards; one engine thread, and nothing fetched or spilled. */
export function shardEngine(): Promise<DuckDBConnection> {
  opened ??= open();
  return opened;
}

async function open(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: '256MB',
    temp_directory: '',
    enable_external_file_cache: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  return instance.connect();
}

/** A path as an SQL literal; glob characters stand for themselves. */
export function sqlPath(path: string, purpose: 'read' | 'write'): string {
  const literal = purpose === 'read' ? path.replace(/[*?[]/g, (character) => `[${character}]`) : path;
  return `'${literal.replaceAll("'", "''")}'`;
}
