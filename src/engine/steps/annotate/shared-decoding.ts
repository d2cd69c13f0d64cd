import { computeTime_ms, mediaTime_ms } from '#io/processes';

/**
 * Distributes batches of one source to several readers; each reader gets every batch. The next batch is made only
 * when all readers have asked for it.
 */
export class FrameFeed<Batch> {
  readonly #source: AsyncGenerator<Batch, void, undefined>;
  /** Number of batches requested per reader; infinite after `unsubscribe`. */
  readonly #requested: number[];
  /** Number of batches pulled from the source. */
  #pulled = 0;
  #latest: Promise<IteratorResult<Batch, void>> = Promise.resolve({ done: true, value: undefined });
  #changed = Promise.withResolvers<void>();

  constructor(source: AsyncGenerator<Batch, void, undefined>, readers: number) {
    this.#source = source;
    this.#requested = Array.from({ length: readers }, () => 0);
  }

  /** Returns the next batch for a reader, or null at the end. Errors of the source are thrown to every reader. */
  async next(reader: number): Promise<Batch | null> {
    const index = ++this.#requested[reader];
    this.#notify();
    while (Math.min(...this.#requested) < index) await this.#changed.promise;
    if (this.#pulled < index) {
      this.#pulled = index;
      this.#latest = this.#source.next();
    }
    const { value, done } = await this.#latest;
    return done === true ? null : value;
  }

  /** Unsubscribes a reader. When none is left, the source is closed. */
  async unsubscribe(reader: number): Promise<void> {
    this.#requested[reader] = Number.POSITIVE_INFINITY;
    this.#notify();
    if (this.#requested.every((requested) => requested === Number.POSITIVE_INFINITY))
      await this.#source.return();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

const ownTime_ms = (): number => computeTime_ms() - mediaTime_ms();

/** Lets several tasks of a thread compute in turns, so that the compute time of each can be measured. */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  /**
   * Waits for a turn. The turn ends when the returned function is called, which returns its compute time in ms, without
   * decoding, which serves all tasks.
   */
  async take(): Promise<() => number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    const from_ms = ownTime_ms();
    return () => {
      resolve();
      return ownTime_ms() - from_ms;
    };
  }
}
