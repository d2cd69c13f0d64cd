import type { JsonObject, JsonValue } from '#core';

/**
 * Packs the rows of one comparison into numbers: they cross threads and wait in a spool at the cost of a copy, where
 * text would be printed and parsed again. Texts and keys, which repeat, are kept once. What is unpacked is what
 * `JSON.parse(JSON.stringify(row))` would give.
 *
 * A row is the number of its members, then each as key, kind and value; an episode without a row is −1.
 */
export class RowPacker {
  #tape = new Float64Array(256);
  #used = 0;
  #empty = true;
  readonly #words = new Map<string, number>();

  /** No episode has a row. */
  get empty(): boolean {
    return this.#empty;
  }

  /** Null: the comparison has nothing of this episode. */
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

  /** What was added so far; length of the words in bytes, the words as JSON, zeros up to a multiple of eight, the tape. */
  bytes(): Uint8Array {
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
      this.#put(kinds.number);
      this.#put(value);
    } else if (typeof value === 'string') {
      this.#put(kinds.text);
      this.#put(this.#word(value));
    } else if (Array.isArray(value) && value.every(Number.isFinite)) {
      this.#put(kinds.numbers);
      this.#put(value.length);
      for (const number of value as readonly number[]) this.#put(number);
    } else {
      this.#put(kinds.other);
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

const kinds = { number: 0, text: 1, numbers: 2, other: 3 } as const;

const tapeStart = (wordBytes: number): number => 8 + Math.ceil(wordBytes / 8) * 8;

/** The rows in the order in which they were added; null where an episode has none. */
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
      if (kind === kinds.number) row[key] = value;
      else if (kind === kinds.text) row[key] = words[value];
      else if (kind === kinds.numbers) {
        const numbers = new Array<number>(value);
        for (let n = 0; n < value; n++) numbers[n] = tape[at++];
        row[key] = numbers;
      } else row[key] = JSON.parse(words[value]);
    }
    rows.push(row);
  }
  return rows;
}
