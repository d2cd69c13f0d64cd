import { AsyncLocalStorage } from 'node:async_hooks';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { AssayError } from '#core';
import { databaseFault } from './database-fault.ts';

/** Drizzle's query builder. Its own `transaction` is taken away: `Database.transaction` is the only one. */
export type Sql = Omit<NodePgDatabase, 'transaction' | '$client'>;

interface QueryAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: what `pg` gives; callers name their row type
  readonly rows: any[];
  readonly rowCount: number | null;
}

/** One PostgreSQL, embedded or served: the same statements, types and transactions on both. */
export interface Database {
  readonly kind: 'embedded' | 'server';
  /** Query builder; inside `transaction` it speaks in that transaction. */
  readonly sql: Sql;
  /** Plain SQL with `$1` parameters, in the current transaction if there is one. */
  query(text: string, values?: readonly unknown[]): Promise<QueryAnswer>;
  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Every statement of that
   * asynchronous context belongs to it, the queue's too, so that nothing waits for a second session. Inside another
   * transaction it joins that.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Calls `then` once the current transaction has committed, never if it rolls back; at once outside of one. */
  afterCommit(then: () => void): void;
  /**
   * Runs `work`; every transaction of its context runs `mark` as its last statement, so that the mark and what was
   * done are there together or not at all. A mark that throws rolls back.
   */
  marking<T>(mark: () => Promise<void>, work: () => Promise<T>): Promise<T>;
  /**
   * Plain statements one after another on one connection and in no transaction: what one sets holds for those behind it,
   * and for nobody else.
   */
  inSession(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Puts transactions and drizzle over a pool of connections. `close` runs after the pool has ended. */
export function createDatabase(kind: Database['kind'], pool: pg.Pool, close: () => Promise<void>): Database {
  const current = new TransactionContext();
  const marks = new AsyncLocalStorage<() => Promise<void>>();
  // Drizzle and the queue call this as they would call a client; it finds the transaction they are in.
  const router = {
    query: async (text: unknown, values?: unknown): Promise<QueryAnswer> => {
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
    marking: (mark, work) => marks.run(mark, work),
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
  // A connection that breaks tells its client as well as the statement; unheard, that would end the process.
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
  readonly committed: (() => void)[];
  over: boolean;
}

/**
 * The transaction that an asynchronous context belongs to. What outlives its transaction (a timer, a listener made
 * inside) belongs to none.
 */
class TransactionContext {
  readonly #current = new AsyncLocalStorage<OpenTransaction>();

  get client(): pg.PoolClient | null {
    return this.#open()?.client ?? null;
  }

  /** Runs `work`, whose statements go to `client` until `work` ends. */
  async run<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<{ result: T; tell: () => void }> {
    const transaction: OpenTransaction = { client, committed: [], over: false };
    try {
      const result = await this.#current.run(transaction, work);
      return { result, tell: () => tell(transaction) };
    } finally {
      transaction.over = true;
    }
  }

  /** Calls `then` when the transaction has committed; at once where there is none. */
  afterCommit(then: () => void): void {
    const transaction = this.#open();
    if (transaction === null) then();
    else transaction.committed.push(then);
  }

  #open(): OpenTransaction | null {
    const transaction = this.#current.getStore();
    return transaction === undefined || transaction.over ? null : transaction;
  }
}

function tell({ committed }: OpenTransaction): void {
  for (const then of committed) then();
}
