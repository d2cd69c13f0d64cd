import { readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { AssayError, messageOf } from '#core';

/** Part of a spool: still in memory, or in the spool's file. Goes between threads. */
export type SpoolRegion =
  | { readonly bytes: Uint8Array }
  | { readonly fd: number; readonly from: number; readonly to: number };

const blockBytes = 1 << 20;

export function regionBytes(region: SpoolRegion): number {
  return 'bytes' in region ? region.bytes.length : region.to - region.from;
}

/**
 * Lines kept for later, in memory while they are few and in a file after that. One writer; a region is read by
 * anybody once it is cut.
 */
export class Spool {
  readonly #openFile: () => number;
  readonly #memoryLimit: number;
  #fd: number | null = null;
  /** Bytes in the file, all before the current block. */
  #written = 0;
  #heldBytes = 0;
  #regionStart = 0;
  #pending: string[] = [];
  #pendingLength = 0;
  #blocks: Buffer[] = [];

  constructor(openFile: () => number, memoryLimit: number) {
    this.#openFile = openFile;
    this.#memoryLimit = memoryLimit;
  }

  append(line: string): void {
    this.#pending.push(line);
    this.#pendingLength += line.length + 1;
    if (this.#pendingLength >= blockBytes) this.#block();
  }

  /** Adds bytes as they are; a region of them is read by `readBytes`. */
  appendBytes(bytes: Uint8Array): void {
    this.#block();
    if (bytes.length > 0) this.#keep(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** Ends the current region; what follows belongs to the next. */
  cut(): SpoolRegion {
    this.#block();
    if (this.#fd === null) {
      const bytes = Buffer.concat(this.#blocks);
      this.#blocks = [];
      this.#heldBytes += bytes.length;
      return { bytes };
    }
    const region = { fd: this.#fd, from: this.#regionStart, to: this.#written };
    this.#regionStart = this.#written;
    return region;
  }

  #block(): void {
    if (this.#pending.length === 0) return;
    const block = Buffer.from(`${this.#pending.join('\n')}\n`);
    this.#pending = [];
    this.#pendingLength = 0;
    this.#keep(block);
  }

  #keep(block: Buffer): void {
    this.#blocks.push(block);
    const held = this.#heldBytes + this.#blocks.reduce((sum, block) => sum + block.length, 0);
    if (this.#fd === null && held > this.#memoryLimit) this.#fd = this.#openFile();
    if (this.#fd === null) return;
    for (const block of this.#blocks) {
      writeAll(this.#fd, block, this.#written);
      this.#written += block.length;
    }
    this.#blocks = [];
  }
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  try {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(fd, bytes, done, bytes.length - done, position + done);
    }
  } catch (thrown) {
    throw new AssayError('output_unwritable', `a temporary file could not be written: ${messageOf(thrown)}`, {
      path: tmpdir(),
      advice: 'make room there, or set TMPDIR to a folder with room',
      cause: thrown,
    });
  }
}

/** A region whole, in memory. */
export function readBytes(region: SpoolRegion): Uint8Array {
  return 'bytes' in region ? region.bytes : Buffer.concat([...blocksOf(region)]);
}

/** The lines of a region, in order, a block at a time in memory. */
export function* readLines(region: SpoolRegion): Generator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for (const block of blocksOf(region)) {
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let start = 0;
    for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

function* blocksOf(region: SpoolRegion): Generator<Buffer> {
  if ('bytes' in region) {
    const { buffer, byteOffset, byteLength } = region.bytes;
    yield Buffer.from(buffer, byteOffset, byteLength);
    return;
  }
  for (let position = region.from; position < region.to; ) {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, region.to - position));
    const count = readSync(region.fd, block, 0, block.length, position);
    if (count === 0) throw new AssayError('internal', 'a temporary file ended early');
    position += count;
    yield block.subarray(0, count);
  }
}
