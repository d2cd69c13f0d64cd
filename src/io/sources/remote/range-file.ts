/** Reads `length` bytes of an object from `offset`; returns fewer at its end. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

interface Block {
  readonly start: number;
  readonly length: number;
  readonly bytes: Promise<Uint8Array>;
}

const firstBlockBytes = 64 * 1024;
const maxBlockBytes = 8 * 1024 * 1024;
const maxBlocks = 3;

/**
 * A remote object with the interface of an open file. Blocks grow from 64 KiB to 8 MiB while reading is sequential, and
 * the next block is prefetched; a jump starts with small blocks again.
 */
export class RangeFile {
  readonly #size: number;
  readonly #read: ReadRange;
  readonly #blocks: Block[] = [];
  #nextStart = -1;
  #blockLength = firstBlockBytes;

  constructor(size: number, read: ReadRange) {
    this.#size = size;
    this.#read = read;
  }

  /**
   * Works like `FileHandle.read`: reads up to `length` bytes from `position` into `into`, starting at index `offset`.
   */
  async read<Into extends Uint8Array>(
    into: Into,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number; buffer: Into }> {
    const minLength = Math.max(0, Math.min(length, into.length - offset, this.#size - position));
    let done = 0;
    while (done < minLength) {
      const at = position + done;
      const block = this.#blockAt(at, minLength - done);
      const bytes = await this.#readBlock(block);
      const cut = bytes.subarray(at - block.start, at - block.start + minLength - done);
      if (cut.length === 0) break;
      into.set(cut, offset + done);
      done += cut.length;
    }
    return { bytesRead: done, buffer: into };
  }

  async close(): Promise<void> {
    this.#blocks.length = 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #blockAt(at: number, minLength: number): Block {
    const found = this.#blocks.find(({ start, length }) => at >= start && at < start + length);
    if (found !== undefined) {
      // The newest block is in use: prefetch the one behind it.
      if (found === this.#blocks.at(-1) && this.#blockLength > firstBlockBytes) {
        this.#blockLength = Math.min(maxBlockBytes, this.#blockLength * 2);
        this.#fetch(this.#nextStart, 0);
      }
      return found;
    }
    const straightOn = at === this.#nextStart;
    this.#blockLength = straightOn ? Math.min(maxBlockBytes, this.#blockLength * 4) : firstBlockBytes;
    return this.#fetch(at, minLength)!;
  }

  #fetch(start: number, minLength: number): Block | null {
    const length = Math.min(Math.max(minLength, this.#blockLength), this.#size - start);
    if (length <= 0) return null;
    const bytes = this.#read(start, length);
    // Errors are thrown where the block is awaited; a prefetched block may never be awaited.
    bytes.catch(() => {});
    const block = { start, length, bytes };
    this.#blocks.push(block);
    if (this.#blocks.length > maxBlocks) this.#blocks.shift();
    this.#nextStart = start + length;
    return block;
  }

  /** Returns the bytes of a block; a block whose fetch failed is forgotten, so that the next read retries it. */
  async #readBlock(block: Block): Promise<Uint8Array> {
    try {
      return await block.bytes;
    } catch (thrown) {
      const at = this.#blocks.indexOf(block);
      if (at >= 0) this.#blocks.splice(at, 1);
      throw thrown;
    }
  }
}
