const cells = { fetched: 0, cached: 1, requests: 2, listed: 3 } as const;

/** What was read over the network, counted by all threads of a process together. */
export class Traffic {
  readonly shared: SharedArrayBuffer;
  readonly #counts: BigInt64Array;

  constructor(shared = new SharedArrayBuffer(8 * Object.keys(cells).length)) {
    this.shared = shared;
    this.#counts = new BigInt64Array(shared);
  }

  add(what: keyof typeof cells, count: number): void {
    Atomics.add(this.#counts, cells[what], BigInt(count));
  }

  /** Bytes of answers. */
  get fetched_bytes(): number {
    return this.#count('fetched');
  }

  /** Bytes that were in the cache already. */
  get cached_bytes(): number {
    return this.#count('cached');
  }

  get requests(): number {
    return this.#count('requests');
  }

  /** Bytes of all files that lie there. */
  get listed_bytes(): number {
    return this.#count('listed');
  }

  #count(what: keyof typeof cells): number {
    return Number(Atomics.load(this.#counts, cells[what]));
  }
}
