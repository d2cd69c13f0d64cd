/** Growing column of float64 values in a typed array, so that a million rows do not cost a million objects. */
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

/** Maps the ids of a file (numbers or strings) to consecutive integers from 0, in order of first use. */
export class IdTable {
  readonly #numbers = new Map<number | string, number>();
  readonly names: (number | string)[] = [];

  /** Returns the integer of an id; assigns the next one if the id is new. */
  assign(id: number | string): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.names.length;
      this.#numbers.set(id, number);
      this.names.push(id);
    }
    return number;
  }
}

/** Decodes an IEEE 754 binary16 number from its 16 bits. */
export function decodeHalfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const maxRanges = 4;

/** Formats ascending integers as ranges, such as `177 to 180, 200`: the first four ranges, then `…`; '' for none. */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges
    .slice(0, maxRanges)
    .map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return shown.join(', ') + (ranges.length > maxRanges ? ', …' : '');
}
