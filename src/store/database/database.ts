import { AsyncLocalStorage } from 'node:async_hooks';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { AssayError, messageOf } from '#core';

/** Drizzle's query builder without `transaction`: `Database.transaction` must be used. */
export type Sql = Omit<NodePgDatabase, 'transaction' | '$client'>;

/** Result of a plain SQL query. */
interface QueryResult {
  // biome-ignore lint/suspicious/noExplicitAny: what `pg` gives; callers name their row type
  readonly rows: any[];
  readonly rowCount: number | null;
}

/** A PostgreSQL database, embedded or on a server, with the same statements, types and transactions. */
export interface Database {
  readonly kind: 'embedded' | 'server';
  /** Query builder; uses the current transaction if there is one. */
  readonly sql: Sql;
  /** Runs plain SQL with `$1` parameters in the current transaction, if there is one, and returns the rows. */
  query(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  /**
   * Runs `work` in a transaction that is committed when it returns and rolled back when it throws. All statements of
   * its asynchronous context use it, including those of the queue, so that nothing waits for a second session. Inside
   * another transaction it joins that one.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Calls `then` after the current transaction has committed, never if it rolls back; immediately outside of a
   * transaction.
   */
  afterCommit(then: () => void): void;
  /**
   * Runs `work` and returns its result; every transaction in its context runs `mark` as its last statement, so that both are
   * committed together or not at all. If `mark` throws, the transaction is rolled back.
   */
  withCommitHook<T>(mark: () => Promise<void>, work: () => Promise<T>): Promise<T>;
  /**
   * Runs plain statements one by one on one connection without a transaction; session settings made by one apply to the
   * following ones only.
   */
  inSession(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Returns a Database on a connection pool; its `close` ends the pool and then calls `close`. */
export function createDatabase(kind: Database['kind'], pool: pg.Pool, close: () => Promise<void>): Database {
  const current = new TransactionContext();
  const marks = new AsyncLocalStorage<() => Promise<void>>();
  // Drizzle and the queue use this as their client; it selects the current transaction or the pool.
  const router = {
    query: async (text: unknown, values?: unknown): Promise<QueryResult> => {
      const on = current.client ?? pool;
      try {
        return await (on as pg.Pool).query(text as string, values as unknown[]);
      } catch (thrown) {
        throw databaseFault(thrown);
      }
    },
  };
  const database: Database = {
    kind,
    sql: drizzle({ client: router as unknown as pg.Pool }),
    query: (text, values = []) => router.query(text, [...values]),
    transaction: async (work) => {
      if (current.client !== null) return work();
      const client = await pool.connect().catch((thrown) => {
        throw databaseFault(thrown);
      });
      const marked = async () => {
        const result = await work();
        await marks.getStore()?.();
        return result;
      };
      const { result, tell } = await runTransaction(client, () => current.run(client, marked));
      tell();
      return result;
    },
    afterCommit: (then) => current.afterCommit(then),
    withCommitHook: (mark, work) => marks.run(mark, work),
    inSession: async (statements) => {
      const client = await pool.connect().catch((thrown) => {
        throw databaseFault(thrown);
      });
      let broken: Error | undefined;
      try {
        for (const statement of statements) await client.query(statement);
      } catch (thrown) {
        throw databaseFault(thrown);
      } finally {
        await client.query('RESET ALL').catch((error: Error) => {
          broken = error;
        });
        client.release(broken);
      }
    },
    close: async () => {
      await pool.end();
      await close();
    },
  };
  return database;
}

async function runTransaction<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  // A broken connection also emits an error on its client; without a listener that would end the process.
  const onBreak = (error: Error) => {
    broken = error;
  };
  client.on('error', onBreak);
  try {
    await client.query('BEGIN');
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (thrown) {
    await client.query('ROLLBACK').catch((error: Error) => {
      broken = error;
    });
    throw thrown instanceof AssayError ? thrown : databaseFault(thrown);
  } finally {
    client.release(broken);
    client.off('error', onBreak);
  }
}

interface OpenTransaction {
  readonly client: pg.PoolClient;
  readonly commitCallbacks: (() => void)[];
  hasEnded: boolean;
}

/**
 * Tracks the transaction of an asynchronous context. Callbacks that outlive their transaction (timers, listeners)
 * belong to none.
 */
class TransactionContext {
  readonly #current = new AsyncLocalStorage<OpenTransaction>();

  get client(): pg.PoolClient | null {
    return this.#open()?.client ?? null;
  }

  /**
   * Runs `work` with its statements going to `client`, and returns its result, and `tell`, which runs the callbacks of
   * `afterCommit`.
   */
  async run<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<{ result: T; tell: () => void }> {
    const transaction: OpenTransaction = { client, commitCallbacks: [], hasEnded: false };
    try {
      const result = await this.#current.run(transaction, work);
      return { result, tell: () => tell(transaction) };
    } finally {
      transaction.hasEnded = true;
    }
  }

  /** Calls `then` after the transaction has committed; immediately if there is none. */
  afterCommit(then: () => void): void {
    const transaction = this.#open();
    if (transaction === null) then();
    else transaction.commitCallbacks.push(then);
  }

  #open(): OpenTransaction | null {
    const transaction = this.#current.getStore();
    return transaction === undefined || transaction.hasEnded ? null : transaction;
  }
}

function tell({ commitCallbacks: committed }: OpenTransaction): void {
  for (const then of committed) then();
}

/** First argument of repository functions, so that no query runs without a tenant. */
export interface TenantScope {
  readonly sql: Sql;
  readonly tenant_id: string;
}

/**
 * SQLSTATE classes and system codes of a database that is unavailable (ENOENT: no socket) or full, as opposed to a
 * wrong statement.
 */
const unavailableCodes = /^(08|53|57P0|58)|^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENOENT)/;
const connectionLostPattern =
  /terminated|not queryable|timeout exceeded when trying to connect|Connection ended|database is closed|thread ended/i;

/**
 * Converts errors of lost connections, full disks and closed databases to `database_unavailable`, which callers may
 * retry; returns other errors unchanged.
 */
function databaseFault(thrown: unknown): unknown {
  // The query builder may have wrapped an AssayError.
  for (let at = thrown; at instanceof Error; at = at.cause) if (at instanceof AssayError) return at;
  const code = sqlState(thrown);
  if (!unavailableCodes.test(code ?? '') && !(code === null && connectionLostPattern.test(messageOf(thrown))))
    return thrown;
  return new AssayError('database_unavailable', `the database does not respond: ${messageOf(thrown)}`, {
    advice: 'check that PostgreSQL is running and reachable and that its disk has free space',
    cause: thrown,
  });
}

/**
 * Returns the SQLSTATE (`23505`: unique violation) or system code of an error thrown by a statement, also if drizzle
 * wrapped it; null if there is none.
 */
export function sqlState(thrown: unknown): string | null {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return null;
}
