import { createHash } from 'node:crypto';
import type { ReadableFile } from '../byte-store.ts';

const blockBytes = 1024 * 1024;

/** SHA-256 of a file that is read in pieces: what comes in order is hashed on the way, the rest in the end. */
export class HashAsRead {
  readonly #hash = createHash('sha256');
  #hashed = 0;
  #digest: string | null = null;

  /** To be told of every piece read. */
  saw(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (position > this.#hashed || end <= this.#hashed || this.#digest !== null) return;
    this.#hash.update(bytes.subarray(this.#hashed - position));
    this.#hashed = end;
  }

  /** Lower-case hexadecimal, of the file's first `bytes`; reads what of them was not seen in order. */
  async digest(file: ReadableFile, bytes: number): Promise<string> {
    if (this.#digest !== null) return this.#digest;
    const block = new Uint8Array(Math.min(blockBytes, Math.max(0, bytes - this.#hashed)));
    while (this.#hashed < bytes) {
      const length = Math.min(block.length, bytes - this.#hashed);
      const { bytesRead } = await file.read(block, 0, length, this.#hashed);
      if (bytesRead === 0) break;
      this.saw(block.subarray(0, bytesRead), this.#hashed);
    }
    this.#digest = this.#hash.digest('hex');
    return this.#digest;
  }
}
