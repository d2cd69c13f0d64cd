import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from '#store';
import { Written } from '../written.ts';

/** How an answer comes about. */
export interface Making<Stored, Answer> {
  /** Everything that is stored and goes into it, as JSON; null where there is nothing to answer about. */
  readonly stored: () => Promise<string | null>;
  /** What else goes into it, compared by identity. */
  readonly beside: unknown;
  /** Makes it from that alone. */
  readonly make: (stored: Stored) => Answer;
}

interface Kept<Answer> {
  readonly stored: string;
  readonly beside: unknown;
  readonly answer: Written<Answer>;
}

/** Answers are kept for so many projects, those that were asked for last. */
const most = 200;

/**
 * Answers that are made of what is stored and nothing else. What is stored is read each time; only what would be made of
 * it again is not, where it is the same to the last byte.
 */
export class KeptAnswers<Stored, Answer> {
  readonly #reads = new SharedReads<string | null>();
  readonly #kept = new Map<string, Kept<Answer>>();

  /** Null where `stored` gives null. */
  async answer(
    key: string,
    { stored, beside, make }: Making<Stored, Answer>,
  ): Promise<Written<Answer> | null> {
    const text = await this.#reads.read(key, stored);
    if (text === null) return null;
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const same = known !== undefined && known.stored === text && known.beside === beside;
    const kept = same ? known : { stored: text, beside, answer: new Written(make(JSON.parse(text))) };
    this.#kept.set(key, kept);
    if (this.#kept.size > most) this.#kept.delete(this.#kept.keys().next().value!);
    return kept.answer;
  }
}

/** One of them for each open store: its prices and models go into answers as well. */
export function keptByStore<Stored, Answer>(): (store: Store) => KeptAnswers<Stored, Answer> {
  const all = new WeakMap<Store, KeptAnswers<Stored, Answer>>();
  return (store) => {
    const known = all.get(store);
    if (known !== undefined) return known;
    const made = new KeptAnswers<Stored, Answer>();
    all.set(store, made);
    return made;
  };
}

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
