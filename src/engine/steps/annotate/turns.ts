/** Lets several tasks of a thread compute by turns, so that each one's time is its own. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Waits for a turn; it lasts until the function that is given is called, which says how long it took. */
  async take(): Promise<() => number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    const from_ms = performance.now();
    return () => {
      resolve();
      return performance.now() - from_ms;
    };
  }
}
