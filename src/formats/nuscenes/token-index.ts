import { NumberColumn } from '../shared/number-column.ts';
import type { RecordPlace } from '../shared/text/json-list.ts';

/**
 * Where the records of a large table lie, by token: three numbers a record instead of an object. Tokens are held by a
 * hash of theirs, so whoever reads a record checks its token.
 */
export class TokenIndex {
  readonly #keys = new NumberColumn();
  readonly #offsets = new NumberColumn();
  readonly #bytes = new NumberColumn();
  #order: Uint32Array | null = null;

  add(token: string, { offset, bytes }: RecordPlace): void {
    this.#keys.push(keyOf(token));
    this.#offsets.push(offset);
    this.#bytes.push(bytes);
    this.#order = null;
  }

  /** Records that may have the token: nearly always one. */
  find(token: string): RecordPlace[] {
    const order = this.#sorted();
    const key = keyOf(token);
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys.at(order[middle]) < key) low = middle + 1;
      else high = middle;
    }
    const found: RecordPlace[] = [];
    for (; low < order.length && this.#keys.at(order[low]) === key; low++)
      found.push({ offset: this.#offsets.at(order[low]), bytes: this.#bytes.at(order[low]) });
    return found;
  }

  #sorted(): Uint32Array {
    this.#order ??= Uint32Array.from({ length: this.#keys.length }, (_, i) => i).sort(
      (a, b) => this.#keys.at(a) - this.#keys.at(b),
    );
    return this.#order;
  }
}

/** 52 bits of two FNV-1a hashes. */
function keyOf(token: string): number {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < token.length; i++) {
    const code = token.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 6) * 2 ** 26 + (low >>> 6);
}
