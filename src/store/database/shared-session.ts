import { isIdle } from './wire-framing.ts';

/** Messages of one connection that the backend answers together. */
export interface Round {
  readonly id: number;
  readonly connection: number;
  readonly bytes: Uint8Array;
}

/** Callbacks of a shared session. */
export interface SessionHooks {
  /** Executes a round in the session and returns its complete answer. */
  readonly execute: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly onAnswer: (id: number, bytes: Uint8Array) => void;
  readonly onError: (id: number, message: string) => void;
}

const rollback = Buffer.from('Q\0\0\0\x0dROLLBACK\0', 'latin1');

/**
 * Lets many connections share one session: rounds are executed one at a time, and a connection inside a transaction has
 * exclusive use until it commits or rolls back.
 */
export class SharedSession {
  readonly #hooks: SessionHooks;
  readonly #queue: (Omit<Round, 'id'> & { readonly id: number | null })[] = [];
  /** Connection whose round is being executed, and connection that has an open transaction. */
  #current: number | null = null;
  #transactionOwner: number | null = null;
  #idle: Promise<void> = Promise.resolve();

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks;
  }

  /** Queues a round; its answer or error is passed to the hooks. */
  add(round: Round): void {
    this.#queue.push(round);
    this.#startAnswering();
  }

  /** Drops the queued rounds of a closed connection and rolls back its open transaction. */
  releaseConnection(connection: number): void {
    for (let i = this.#queue.length - 1; i >= 0; i--) {
      const { id, connection: whose } = this.#queue[i];
      if (whose !== connection) continue;
      this.#queue.splice(i, 1);
      if (id !== null) this.#hooks.onError(id, 'the database connection was lost');
    }
    if (this.#transactionOwner !== connection && this.#current !== connection) return;
    this.#queue.push({ id: null, connection, bytes: rollback });
    this.#startAnswering();
  }

  /** Resolves when no round is running and none can be started. */
  idle(): Promise<void> {
    return this.#idle;
  }

  #startAnswering(): void {
    if (this.#current === null) this.#idle = this.#answerAll();
  }

  async #answerAll(): Promise<void> {
    for (;;) {
      const at =
        this.#transactionOwner === null
          ? 0
          : this.#queue.findIndex(({ connection }) => connection === this.#transactionOwner);
      const [round] = at < 0 ? [] : this.#queue.splice(at, 1);
      if (round === undefined) return;
      this.#current = round.connection;
      await this.#answer(round.id, round.bytes);
      this.#current = null;
    }
  }

  async #answer(id: number | null, bytes: Uint8Array): Promise<void> {
    try {
      const answer = await this.#hooks.execute(bytes);
      this.#transactionOwner = isIdle(answer) ? null : this.#current;
      if (id !== null) this.#hooks.onAnswer(id, answer);
    } catch (thrown) {
      if (id !== null) this.#hooks.onError(id, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}
