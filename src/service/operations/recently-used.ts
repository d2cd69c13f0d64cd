/** Keeps what was used last, up to a weight. */
export class RecentlyUsed<Value> {
  readonly #most: number;
  readonly #weigh: (value: Value) => number;
  /** In the order of use, latest last. */
  readonly #kept = new Map<string, Value>();
  #weight = 0;

  constructor(most: number, weigh: (value: Value) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  put(key: string, value: Value): void {
    this.drop(key);
    this.#kept.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#most) return;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    const value = this.#kept.get(key);
    if (value === undefined) return;
    this.#kept.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
