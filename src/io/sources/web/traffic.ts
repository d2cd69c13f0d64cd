const cells = { fetched: 0, cached: 1, requests: 2, listed: 3 } as const;

/** Network traffic counters, shared by all threads of a process. */
export class Traffic {
  readonly shared: SharedArrayBuffer;
  readonly #counts: BigInt64Array;

  constructor(shared = new SharedArrayBuffer(8 * Object.keys(cells).length)) {
    this.shared = shared;
    this.#counts = new BigInt64Array(shared);
  }

  /** Adds to a counter, for all threads of the process. */
  add(what: keyof typeof cells, count: number): void {
    Atomics.add(this.#counts, cells[what], BigInt(count));
  }

  /** Bytes received. */
  get fetched_bytes(): number {
    return this.#count('fetched');
  }

  /** Bytes read from the cache instead of the network. */
  get cached_bytes(): number {
    return this.#count('cached');
  }

  get requests(): number {
    return this.#count('requests');
  }

  /** Total size in bytes of all listed files. */
  get listed_bytes(): number {
    return this.#count('listed');
  }

  #count(what: keyof typeof cells): number {
    return Number(Atomics.load(this.#counts, cells[what]));
  }
}
