import { closeSync, openSync, readSync } from 'node:fs';
import type { FormatContext, Packet } from 'node-av/lib';

/**
 * Bytes of packets, read into one buffer where they lie in the file as they are: each `packet.data` is a copy of its own,
 * and thousands of them are most of what the process would hold.
 */
export class PacketBytes {
  readonly #fd: number | null;
  /** Read ahead, since packets follow one another: hundreds of them a read. */
  #buffer: Buffer = Buffer.alloc(1 << 18);
  #at = 0;
  #length = 0;

  /** To be closed. */
  constructor(format: FormatContext, path: string) {
    // Elsewhere a packet's position is that of a header, or its bytes are not those of the file.
    this.#fd = format.iformat?.name?.startsWith('mov,') === true ? openSync(path, 'r') : null;
  }

  /** Whether `isWhole` says so of a packet. */
  areWhole(packet: Packet, isWhole: (data: Buffer | null) => boolean): boolean {
    const inFile = this.#inFile(Number(packet.pos), packet.size);
    return (inFile !== null && isWhole(inFile)) || isWhole(packet.data);
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }

  #inFile(position: number, size: number): Buffer | null {
    if (this.#fd === null || position < 0 || size <= 0) return null;
    if (position < this.#at || position + size > this.#at + this.#length) {
      if (this.#buffer.length < size) this.#buffer = Buffer.alloc(size * 2);
      this.#length = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, position);
      this.#at = position;
    }
    const from = position - this.#at;
    return from + size <= this.#length ? this.#buffer.subarray(from, from + size) : null;
  }
}
