import { AsyncLocalStorage } from 'node:async_hooks';

/** A reading that is under way, and the one that those who came since wait for. */
interface Reading<Value> {
  readonly now: Promise<Value>;
  next: Promise<Value> | null;
}

/** In nobody's transaction: what is read is for others too. */
const outside = AsyncLocalStorage.snapshot();

/**
 * Reads the same for many who ask at once. Everybody is given what was read by a reading that began after they asked, so
 * that nobody misses what was written before; those who ask while one is under way share the next. What fails, fails
 * for all who share it.
 */
export class SharedReads<Value> {
  readonly #readings = new Map<string, Reading<Value>>();

  read(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = this.#readings.get(key);
    if (reading === undefined) return this.#begin(key, read);
    const again = () => this.#begin(key, read);
    reading.next ??= reading.now.then(again, again);
    return reading.next;
  }

  #begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading: Reading<Value> = { now: outside(read), next: null };
    this.#readings.set(key, reading);
    const end = () => {
      if (reading.next === null) this.#readings.delete(key);
    };
    reading.now.then(end, end);
    return reading.now;
  }
}
