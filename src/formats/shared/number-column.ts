/** Numbers appended one by one to typed arrays that grow, so that a million rows cost no million objects. */
export class NumberColumn {
  #values: Float64Array;
  length = 0;

  constructor(capacity = 1024) {
    this.#values = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index];
  }
}

/** Gives ids of a file (numbers or texts) small numbers of their own, in the order they are met. */
export class Ids {
  readonly #numbers = new Map<number | string, number>();
  readonly names: (number | string)[] = [];

  number(id: number | string): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.names.length;
      this.#numbers.set(id, number);
      this.names.push(id);
    }
    return number;
  }
}
