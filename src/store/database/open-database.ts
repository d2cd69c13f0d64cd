import { join } from 'node:path';
import pg from 'pg';
import { limits } from '#core';
import { createDatabase, type Database } from './database.ts';
import { PgliteGate } from './pglite-gate.ts';
import { PgliteStream } from './pglite-stream.ts';

/** `numeric` and `int8` come as numbers: money has at most six places, counts stay under 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Connections that may wait for the one session of the embedded database. */
const embeddedConnections = 16;

/** The embedded database in `<folder>/database`. The caller holds the lock of `folder`. */
export async function openEmbedded(folder: string): Promise<Database> {
  const gate = await PgliteGate.open(join(folder, 'database'));
  const pool = openPool({
    max: embeddedConnections,
    idleTimeoutMillis: 0,
    stream: () => new PgliteStream(gate) as unknown as import('node:net').Socket,
  });
  return createDatabase('embedded', pool, () => gate.close());
}

export interface ServerOptions {
  /** Connections at most; a worker needs few. */
  readonly connections?: number;
  /** How long a request waits for a connection before `database_unavailable`. */
  readonly connect_timeout_ms?: number;
}

/** A PostgreSQL server, 16 or newer with pgvector, at `postgres://…`. */
export function openServer(url: string, options: ServerOptions = {}): Database {
  const pool = openPool({
    connectionString: url,
    max: options.connections ?? limits.storage.database_connections.value,
    connectionTimeoutMillis: options.connect_timeout_ms ?? limits.storage.database_connect_ms.value,
    keepAlive: true,
  });
  return createDatabase('server', pool, async () => {});
}

/**
 * A connection that breaks is told to whoever asks it something. It says so besides, whether it is idle, in hand, or being
 * handed out or back: unheard at any of these moments, that would end the process.
 */
function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, types });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
