import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

interface OpenTransaction {
  readonly client: pg.PoolClient;
  readonly committed: (() => void)[];
  over: boolean;
}

/**
 * The transaction that an asynchronous context belongs to. What outlives its transaction (a timer, a listener made
 * inside) belongs to none.
 */
export class TransactionContext {
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
