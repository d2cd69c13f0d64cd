import type { Cursor } from '../cursor.ts';
import { beyondLimit } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';

/** One collection of items of variable length, by number. */
type Collection = ReadonlyMap<number, Uint8Array>;

/** Texts and sequences of variable length; the collections asked for last are kept. */
export class GlobalHeap {
  readonly #bytes: FileBytes;
  readonly #kept = new Map<number, Collection>();

  constructor(bytes: FileBytes) {
    this.#bytes = bytes;
  }

  /** `length` bytes of one item. */
  async item(address: number, index: number, length: number): Promise<Uint8Array> {
    const place = { file: this.#bytes.file, place: `byte ${this.#bytes.base + address}` };
    if (length > limits.itemBytes) throw beyondLimit(`a string or sequence of ${length} bytes`, place);
    const item = (await this.#collection(address)).get(index);
    if (item !== undefined && item.length >= length) return item.subarray(0, length);
    throw (await this.#bytes.atMost(address, 0)).fault(`item ${index} of a heap is missing or too short`);
  }

  async #collection(address: number): Promise<Collection> {
    const kept = this.#kept.get(address);
    if (kept !== undefined) return kept;
    const head = await this.#bytes.at(address, 8 + this.#bytes.widths.lengthBytes);
    if (head.expectSignature('GCOL').u8() !== 1) throw head.fault('unknown version of a heap');
    const length = head.skip(3).length();
    const collection = itemsOf(await this.#bytes.at(address, length), head.at);
    this.#kept.set(address, collection);
    if (this.#kept.size > limits.collections) this.#kept.delete(this.#kept.keys().next().value ?? address);
    return collection;
  }
}

function itemsOf(cursor: Cursor, from: number): Collection {
  const items = new Map<number, Uint8Array>();
  cursor.at = from;
  while (cursor.left >= 8 + cursor.widths.lengthBytes) {
    const index = cursor.u16();
    cursor.skip(6);
    const length = cursor.length();
    // Object 0 is what is left free.
    if (index === 0) break;
    items.set(index, cursor.take(length));
    cursor.skip(Math.min(cursor.left, (8 - (length % 8)) % 8));
  }
  return items;
}
