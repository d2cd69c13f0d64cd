/** What the values of one column look like by themselves, over episodes. */
export class ValueFacts {
  #count = 0;
  #zeros = 0;
  #repeats = 0;
  minimum = Number.POSITIVE_INFINITY;
  maximum = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #squares = 0;
  /** Up to `mostDistinct` values; more than that is a scale, not a switch. */
  readonly #distinct = new Set<number>();

  add(values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      this.#count++;
      this.#sum += value;
      this.#squares += value * value;
      if (value === 0) this.#zeros++;
      if (i > 0 && value === values[i - 1]) this.#repeats++;
      if (value < this.minimum) this.minimum = value;
      if (value > this.maximum) this.maximum = value;
      if (this.#distinct.size <= mostDistinct) this.#distinct.add(value);
    }
  }

  get zero_share(): number {
    return this.#count === 0 ? 0 : this.#zeros / this.#count;
  }

  /** Share of rows that repeat the row before. */
  get held_share(): number {
    return this.#count === 0 ? 0 : this.#repeats / this.#count;
  }

  get range(): number {
    return this.#count === 0 ? 0 : this.maximum - this.minimum;
  }

  get deviation(): number {
    if (this.#count === 0) return 0;
    const mean = this.#sum / this.#count;
    return Math.sqrt(Math.max(0, this.#squares / this.#count - mean * mean));
  }

  /** The values there are, ascending, where they are few; else null. */
  get levels(): readonly number[] | null {
    return this.#distinct.size > mostDistinct ? null : [...this.#distinct].sort((x, y) => x - y);
  }
}

const mostDistinct = 4;
