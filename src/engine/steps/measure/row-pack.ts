import type { JsonObject, JsonValue } from '#core';

/**
 * Packs the rows of one comparison into numbers, which can be sent between threads and spooled at the cost of a copy.
 * Strings and keys, which repeat, are stored once. Unpacking gives the same as `JSON.parse(JSON.stringify(row))`.
 *
 * A row is the number of its members, then key, kind and value of each; −1 for an episode without a row.
 */
export class RowPacker {
  #tape = new Float64Array(256);
  #used = 0;
  #empty = true;
  readonly #words = new Map<string, number>();

  /** Returns true if no episode has a row. */
  get empty(): boolean {
    return this.#empty;
  }

  /** Adds the row of the next episode; null if it has none. */
  add(row: JsonObject | null): void {
    if (row === null) {
      this.#put(-1);
      return;
    }
    this.#empty = false;
    const start = this.#used;
    let members = 0;
    this.#put(0);
    for (const key in row) {
      const value = row[key];
      if (value === undefined) continue;
      this.#put(this.#word(key));
      this.#value(value);
      members++;
    }
    this.#tape[start] = members;
  }

  /**
   * Returns the packed rows: length of the words in bytes, the words as JSON, zero padding to a multiple of eight,
   * the tape.
   */
  toBytes(): Uint8Array {
    const words = Buffer.from(JSON.stringify([...this.#words.keys()]));
    const first = tapeStart(words.length);
    const bytes = new Uint8Array(first + this.#used * 8);
    new Float64Array(bytes.buffer, 0, 1)[0] = words.length;
    bytes.set(words, 8);
    new Float64Array(bytes.buffer, first).set(this.#tape.subarray(0, this.#used));
    return bytes;
  }

  #value(value: JsonValue): void {
    if (typeof value === 'number' && Number.isFinite(value)) {
      this.#put(valueKinds.number);
      this.#put(value);
    } else if (typeof value === 'string') {
      this.#put(valueKinds.text);
      this.#put(this.#word(value));
    } else if (Array.isArray(value) && value.every(Number.isFinite)) {
      this.#put(valueKinds.numbers);
      this.#put(value.length);
      for (const number of value as readonly number[]) this.#put(number);
    } else {
      this.#put(valueKinds.other);
      this.#put(this.#word(JSON.stringify(value)));
    }
  }

  #word(text: string): number {
    let word = this.#words.get(text);
    if (word === undefined) {
      word = this.#words.size;
      this.#words.set(text, word);
    }
    return word;
  }

  #put(number: number): void {
    if (this.#used === this.#tape.length) {
      const grown = new Float64Array(this.#used * 2);
      grown.set(this.#tape);
      this.#tape = grown;
    }
    // JSON has no −0.
    this.#tape[this.#used++] = number + 0;
  }
}

const valueKinds = { number: 0, text: 1, numbers: 2, other: 3 } as const;

const tapeStart = (wordBytes: number): number => 8 + Math.ceil(wordBytes / 8) * 8;

/** Returns packed rows in the order in which they were added; null for episodes without a row. */
export function unpackRows(packed: Uint8Array): (JsonObject | null)[] {
  // Copied, since a Float64Array must start at a multiple of eight.
  const { buffer } = new Uint8Array(packed);
  const [wordBytes] = new Float64Array(buffer, 0, 1);
  const words: string[] = JSON.parse(Buffer.from(buffer, 8, wordBytes).toString());
  const tape = new Float64Array(buffer, tapeStart(wordBytes));
  const rows: (JsonObject | null)[] = [];
  for (let at = 0; at < tape.length; ) {
    const members = tape[at++];
    if (members < 0) {
      rows.push(null);
      continue;
    }
    const row: Record<string, JsonValue> = {};
    for (let m = 0; m < members; m++) {
      const key = words[tape[at]];
      const kind = tape[at + 1];
      const value = tape[at + 2];
      at += 3;
      if (kind === valueKinds.number) row[key] = value;
      else if (kind === valueKinds.text) row[key] = words[value];
      else if (kind === valueKinds.numbers) {
        const numbers = new Array<number>(value);
        for (let n = 0; n < value; n++) numbers[n] = tape[at++];
        row[key] = numbers;
      } else row[key] = JSON.parse(words[value]);
    }
    rows.push(row);
  }
  return rows;
}
