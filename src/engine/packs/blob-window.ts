import type { Blobs } from '#store';

const blockBytes = 512 * 1024;

/** Ranges of blobs, read in blocks: fast where they are asked for in the order in which they lie there. */
export class BlobWindow {
  readonly #blobs: Blobs;
  #key = '';
  #from = 0;
  #block: Uint8Array = new Uint8Array(0);

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async at(key: string, offset: number, length: number): Promise<Uint8Array> {
    const at = offset - this.#from;
    if (key === this.#key && at >= 0 && at + length <= this.#block.length)
      return this.#block.subarray(at, at + length);
    const block = await this.#blobs.range(key, offset, Math.max(length, blockBytes));
    this.#key = key;
    this.#from = offset;
    this.#block = block;
    return block.subarray(0, length);
  }
}
