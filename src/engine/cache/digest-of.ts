import { createHash, type Hash } from 'node:crypto';

/** SHA-256 of plain data: two values have the same one only where they are alike in every member and byte. */
export function digestOf(value: unknown): string {
  const digest = new Digest();
  digest.add(value);
  return digest.end();
}

/** Each part begins with its type and length, so that no two values read the same. */
class Digest {
  readonly #hash: Hash = createHash('sha256');
  /** Not hashed yet: a few long texts cost less than many short ones. */
  #text = '';

  add(value: unknown): void {
    if (ArrayBuffer.isView(value)) this.#addBytes(value);
    else if (Array.isArray(value)) {
      this.#text += `list ${value.length}\0`;
      for (const item of value) this.add(item);
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value).sort();
      this.#text += `object ${keys.length}\0`;
      for (const key of keys) {
        this.add(key);
        this.add((value as Record<string, unknown>)[key]);
      }
    } else {
      const text = Object.is(value, -0) ? '-0' : String(value);
      this.#text += `${typeof value} ${text.length} ${text}\0`;
    }
  }

  end(): string {
    return this.#hash.update(this.#text).digest('hex');
  }

  #addBytes(view: ArrayBufferView): void {
    this.#hash.update(`${this.#text}${view.constructor.name} ${view.byteLength}\0`);
    this.#hash.update(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    this.#text = '';
  }
}
