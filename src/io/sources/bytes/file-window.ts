import type { ReadableFile } from '../byte-store.ts';

const windowBytes = 64 * 1024;

/** Reads small pieces of a file through a window that moves along; skipping costs nothing. */
export class FileWindow {
  readonly #file: ReadableFile;
  readonly size: number;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: ReadableFile, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** Bytes from `position` on; fewer at the end of the file. Valid until the next call. */
  async read(position: number, length: number): Promise<Buffer> {
    const offset = position - this.#start;
    if (offset >= 0 && offset + length <= this.#bytes.length)
      return this.#bytes.subarray(offset, offset + length);
    const wanted = Math.max(length, Math.min(windowBytes, this.size - position));
    if (position >= this.size) return Buffer.alloc(0);
    const block = Buffer.allocUnsafe(Math.min(wanted, this.size - position));
    const { bytesRead } = await this.#file.read(block, 0, block.length, position);
    this.#start = position;
    this.#bytes = block.subarray(0, bytesRead);
    return this.#bytes.subarray(0, length);
  }
}
