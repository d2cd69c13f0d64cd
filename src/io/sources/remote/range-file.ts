/** Reads `length` bytes of an object from `offset`; fewer at its end. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

interface Block {
  readonly start: number;
  readonly length: number;
  readonly bytes: Promise<Uint8Array>;
}

const firstBlock = 64 * 1024;
const largestBlock = 8 * 1024 * 1024;
const keptBlocks = 3;

/**
 * An object read by ranges as if it were an open file. Blocks grow while reading goes straight on, and the next one is
 * fetched ahead; a jump starts small again.
 */
export class RangeFile {
  readonly #size: number;
  readonly #read: ReadRange;
  readonly #blocks: Block[] = [];
  #nextStart = -1;
  #blockLength = firstBlock;

  constructor(size: number, read: ReadRange) {
    this.#size = size;
    this.#read = read;
  }

  /** As `FileHandle.read`: fills `into` from `offset` with up to `length` bytes from `position` on. */
  async read<Into extends Uint8Array>(
    into: Into,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number; buffer: Into }> {
    const wanted = Math.max(0, Math.min(length, into.length - offset, this.#size - position));
    let done = 0;
    while (done < wanted) {
      const at = position + done;
      const block = this.#blockWith(at, wanted - done);
      const bytes = await this.#bytesOf(block);
      const cut = bytes.subarray(at - block.start, at - block.start + wanted - done);
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

  #blockWith(at: number, wanted: number): Block {
    const found = this.#blocks.find(({ start, length }) => at >= start && at < start + length);
    if (found !== undefined) {
      // Half-way through what was fetched last: what follows is fetched while it is used.
      if (found === this.#blocks.at(-1) && this.#blockLength > firstBlock) {
        this.#blockLength = Math.min(largestBlock, this.#blockLength * 2);
        this.#fetch(this.#nextStart, 0);
      }
      return found;
    }
    const straightOn = at === this.#nextStart;
    this.#blockLength = straightOn ? Math.min(largestBlock, this.#blockLength * 4) : firstBlock;
    return this.#fetch(at, wanted)!;
  }

  #fetch(start: number, wanted: number): Block | null {
    const length = Math.min(Math.max(wanted, this.#blockLength), this.#size - start);
    if (length <= 0) return null;
    const bytes = this.#read(start, length);
    // Whoever awaits it hears of a fault; ahead of time nobody does.
    bytes.catch(() => {});
    const block = { start, length, bytes };
    this.#blocks.push(block);
    if (this.#blocks.length > keptBlocks) this.#blocks.shift();
    this.#nextStart = start + length;
    return block;
  }

  /** A block that failed is not kept. */
  async #bytesOf(block: Block): Promise<Uint8Array> {
    try {
      return await block.bytes;
    } catch (thrown) {
      const at = this.#blocks.indexOf(block);
      if (at >= 0) this.#blocks.splice(at, 1);
      throw thrown;
    }
  }
}
