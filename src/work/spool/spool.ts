import { readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { AssayError, messageOf } from '#kernel';

/** Part of a spool: still in memory, or in the spool's file. Goes between threads. */
export type Segment =
  | { readonly bytes: Uint8Array }
  | { readonly fd: number; readonly from: number; readonly to: number };

const blockBytes = 1 << 20;

export function segmentBytes(segment: Segment): number {
  return 'bytes' in segment ? segment.bytes.length : segment.to - segment.from;
}

/**
 * Lines kept for later, in memory while they are few and in a file after that. One writer; a segment is read by
 * anybody once it is cut.
 */
export class Spool {
  readonly #openFile: () => number;
  readonly #memoryLimit: number;
  #fd: number | null = null;
  /** Bytes in the file, all before the current block. */
  #written = 0;
  #heldBytes = 0;
  #segmentStart = 0;
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

  /** Adds bytes as they are; a segment of them is read by `readBytes`. */
  appendBytes(bytes: Uint8Array): void {
    this.#block();
    if (bytes.length > 0) this.#keep(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** Ends the current segment; what follows belongs to the next. */
  cut(): Segment {
    this.#block();
    if (this.#fd === null) {
      const bytes = Buffer.concat(this.#blocks);
      this.#blocks = [];
      this.#heldBytes += bytes.length;
      return { bytes };
    }
    const segment = { fd: this.#fd, from: this.#segmentStart, to: this.#written };
    this.#segmentStart = this.#written;
    return segment;
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

/** A segment whole, in memory. */
export function readBytes(segment: Segment): Uint8Array {
  return 'bytes' in segment ? segment.bytes : Buffer.concat([...blocksOf(segment)]);
}

/** The lines of a segment, in order, a block at a time in memory. */
export function* readLines(segment: Segment): Generator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for (const block of blocksOf(segment)) {
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let start = 0;
    for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

function* blocksOf(segment: Segment): Generator<Buffer> {
  if ('bytes' in segment) {
    const { buffer, byteOffset, byteLength } = segment.bytes;
    yield Buffer.from(buffer, byteOffset, byteLength);
    return;
  }
  for (let position = segment.from; position < segment.to; ) {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, segment.to - position));
    const count = readSync(segment.fd, block, 0, block.length, position);
    if (count === 0) throw new AssayError('internal', 'a temporary file ended early');
    position += count;
    yield block.subarray(0, count);
  }
}
