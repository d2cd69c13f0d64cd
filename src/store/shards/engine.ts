import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { AssayError, messageOf } from '#core';

let engine: Promise<DuckDBInstance> | null = null;
const idle: DuckDBConnection[] = [];
const inUse = new Set<DuckDBConnection>();

/**
 * Returns a connection to the in-memory DuckDB of this thread for exclusive use until `returnConnection`, because a
 * second query on a connection ends the first. The engine uses one thread, does not spill to disk and loads no
 * extensions.
 */
export async function borrowConnection(): Promise<DuckDBConnection> {
  engine ??= openEngine();
  const instance = await engine;
  const connection = idle.pop() ?? (await instance.connect());
  inUse.add(connection);
  return connection;
}

/** Puts a borrowed connection back, for reuse by `borrowConnection`. */
export function returnConnection(connection: DuckDBConnection): void {
  inUse.delete(connection);
  idle.push(connection);
}

/** Interrupts all running shard queries of this thread, which then fail. */
export function interruptShards(): void {
  for (const connection of inUse) connection.interrupt();
}

async function openEngine(): Promise<DuckDBInstance> {
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

/** Returns a path as an SQL string literal; for `read`, glob characters are escaped. */
export function sqlPath(path: string, purpose: 'read' | 'write'): string {
  const literal = purpose === 'read' ? path.replace(/[*?[]/g, (character) => `[${character}]`) : path;
  return `'${literal.replaceAll("'", "''")}'`;
}

/** Returns the error to throw for an error of the engine: `storage_unavailable`, or the error itself if it is an AssayError. */
export function shardFault(thrown: unknown, path: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const full = /No space left|ENOSPC|EDQUOT/.test(messageOf(thrown));
  return new AssayError('storage_unavailable', `cannot read or write a shard: ${messageOf(thrown)}`, {
    path,
    advice: full
      ? 'the disk is full: free some space'
      : 'check that the data folder is readable and writable',
    cause: thrown,
  });
}
