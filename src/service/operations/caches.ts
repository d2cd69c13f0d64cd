import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from '#store';

/** Inputs of a cached answer and the function that computes it. */
export interface AnswerSource<Stored, Answer> {
  /** Reads all stored inputs as JSON text; null if the object does not exist. */
  readonly readInputs: () => Promise<string | null>;
  /** Inputs that are not stored. The cached answer is reused only for the identical object. */
  readonly context: unknown;
  /** Computes the answer from the parsed stored inputs and `context` alone. */
  readonly compute: (stored: Stored) => Answer;
}

interface CachedAnswer<Answer> {
  readonly inputs: string;
  readonly context: unknown;
  readonly answer: SerializedAnswer<Answer>;
}

/** Cached answers; the least recently used one is dropped first. */
const maxAnswers = 200;

/**
 * Caches answers by their inputs. The stored inputs are read on every call; the answer is computed again only if
 * their text or `context` has changed.
 */
export class AnswerCache<Stored, Answer> {
  readonly #reads = new SharedReads<string | null>();
  readonly #answers = new Map<string, CachedAnswer<Answer>>();

  /** Returns the cached or newly computed answer; null if `readInputs` gives null. */
  async answer(
    key: string,
    { readInputs, context, compute }: AnswerSource<Stored, Answer>,
  ): Promise<SerializedAnswer<Answer> | null> {
    const inputs = await this.#reads.read(key, readInputs);
    if (inputs === null) return null;
    const cached = this.#answers.get(key);
    this.#answers.delete(key);
    const isCurrent = cached !== undefined && cached.inputs === inputs && cached.context === context;
    const current = isCurrent
      ? cached
      : { inputs, context, answer: new SerializedAnswer(compute(JSON.parse(inputs))) };
    this.#answers.set(key, current);
    if (this.#answers.size > maxAnswers) this.#answers.delete(this.#answers.keys().next().value!);
    return current.answer;
  }
}

/**
 * Returns a function that gives each open store its own cache, because prices and models of the store affect the
 * answers.
 */
export function answerCachePerStore<Stored, Answer>(): (store: Store) => AnswerCache<Stored, Answer> {
  const all = new WeakMap<Store, AnswerCache<Stored, Answer>>();
  return (store) => {
    const existing = all.get(store);
    if (existing !== undefined) return existing;
    const cache = new AnswerCache<Stored, Answer>();
    all.set(store, cache);
    return cache;
  };
}

/** A read in progress, and the following read that later callers share; `next` is null if nobody waits for it. */
interface SharedRead<Value> {
  readonly current: Promise<Value>;
  next: Promise<Value> | null;
}

/** Runs a read outside the caller's transaction, because its result is shared with other callers. */
const outsideTransactions = AsyncLocalStorage.snapshot();

/**
 * Shares reads of the same key among concurrent callers. Each caller gets the result of a read that began after its
 * call, so earlier writes are always seen: callers that arrive during a read share the next one. An error reaches
 * every caller that shares the read.
 */
export class SharedReads<Value> {
  readonly #readings = new Map<string, SharedRead<Value>>();

  /** Returns the result of `read` for a key, shared with callers that arrived while another read of the key was running. */
  read(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = this.#readings.get(key);
    if (reading === undefined) return this.#begin(key, read);
    const beginNext = () => this.#begin(key, read);
    reading.next ??= reading.current.then(beginNext, beginNext);
    return reading.next;
  }

  #begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading: SharedRead<Value> = { current: outsideTransactions(read), next: null };
    this.#readings.set(key, reading);
    const end = () => {
      if (reading.next === null) this.#readings.delete(key);
    };
    reading.current.then(end, end);
    return reading.current;
  }
}

/** An answer serialized to JSON once, so that it can be sent many times. */
export class SerializedAnswer<Answer> {
  readonly bytes: Uint8Array;

  constructor(answer: Answer) {
    this.bytes = Buffer.from(JSON.stringify(answer));
  }

  get text(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length).toString();
  }

  /** Parses the JSON; every call returns a new copy. */
  read(): Answer {
    return JSON.parse(this.text);
  }
}

/** Cache that drops the least recently used entries above a total weight. */
export class LruCache<Value> {
  readonly #maxWeight: number;
  readonly #weigh: (value: Value) => number;
  /** Entries in order of use, the most recent last. */
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  constructor(maxWeight: number, weigh: (value: Value) => number) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  /** Returns the value of a key and marks it as used; undefined if it is not cached. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Stores a value, and drops the least recently used ones above the maximum weight; a value heavier than that is not kept. */
  put(key: string, value: Value): void {
    this.drop(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.drop(oldest);
    }
  }

  /** Removes the value of a key, if it is cached. */
  drop(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
