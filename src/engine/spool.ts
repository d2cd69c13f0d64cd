import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, messageOf } from '#core';

/** A region of a spool: in memory, or a range of the spool's file. Plain data; may be sent between threads. */
export type SpoolRegion =
  | { readonly bytes: Uint8Array }
  | { readonly fd: number; readonly from: number; readonly to: number };

const blockBytes = 1 << 20;

/** Returns the size of a region in bytes. */
export function regionBytes(region: SpoolRegion): number {
  return 'bytes' in region ? region.bytes.length : region.to - region.from;
}

/**
 * Buffer of lines for later reading: in memory up to a limit, then in a temporary file. Has one writer; a region can
 * be read by any thread once `cut` has returned it.
 */
export class Spool {
  readonly #openFile: () => number;
  readonly #memoryLimit: number;
  #fd: number | null = null;
  /** Bytes in the file; all blocks before the current one. */
  #written = 0;
  #memoryBytes = 0;
  #regionStart = 0;
  #pending: string[] = [];
  #pendingLength = 0;
  #blocks: Buffer[] = [];

  constructor(openFile: () => number, memoryLimit: number) {
    this.#openFile = openFile;
    this.#memoryLimit = memoryLimit;
  }

  /** Appends a line to the current region. */
  append(line: string): void {
    this.#pending.push(line);
    this.#pendingLength += line.length + 1;
    if (this.#pendingLength >= blockBytes) this.#flushLines();
  }

  /** Appends raw bytes to the current region, to be read with `readBytes`. */
  appendBytes(bytes: Uint8Array): void {
    this.#flushLines();
    if (bytes.length > 0) this.#store(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** Ends the current region and returns it; the next `append` begins another. */
  cut(): SpoolRegion {
    this.#flushLines();
    if (this.#fd === null) {
      const bytes = Buffer.concat(this.#blocks);
      this.#blocks = [];
      this.#memoryBytes += bytes.length;
      return { bytes };
    }
    const region = { fd: this.#fd, from: this.#regionStart, to: this.#written };
    this.#regionStart = this.#written;
    return region;
  }

  #flushLines(): void {
    if (this.#pending.length === 0) return;
    const block = Buffer.from(`${this.#pending.join('\n')}\n`);
    this.#pending = [];
    this.#pendingLength = 0;
    this.#store(block);
  }

  #store(block: Buffer): void {
    this.#blocks.push(block);
    const memoryBytes = this.#memoryBytes + this.#blocks.reduce((sum, block) => sum + block.length, 0);
    if (this.#fd === null && memoryBytes > this.#memoryLimit) this.#fd = this.#openFile();
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
    throw new AssayError('output_unwritable', `cannot write a temporary file: ${messageOf(thrown)}`, {
      path: tmpdir(),
      advice: 'free disk space there, or set TMPDIR to a folder with free space',
      cause: thrown,
    });
  }
}

/** Returns the bytes of a region. */
export function readBytes(region: SpoolRegion): Uint8Array {
  return 'bytes' in region ? region.bytes : Buffer.concat([...readBlocks(region)]);
}

/**
 * Yields the lines of a region without their line feeds, in order, with one block at a time in memory; text after the last
 * line feed is not yielded.
 */
export function* readLines(region: SpoolRegion): Generator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for (const block of readBlocks(region)) {
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let start = 0;
    for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

function* readBlocks(region: SpoolRegion): Generator<Buffer> {
  if ('bytes' in region) {
    const { buffer, byteOffset, byteLength } = region.bytes;
    yield Buffer.from(buffer, byteOffset, byteLength);
    return;
  }
  for (let position = region.from; position < region.to; ) {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, region.to - position));
    const count = readSync(region.fd, block, 0, block.length, position);
    if (count === 0) throw new AssayError('internal', 'a temporary file is truncated');
    position += count;
    yield block.subarray(0, count);
  }
}

/**
 * Temporary files that leave nothing behind, however the process ends: where the system allows it, a file is unlinked
 * as soon as it is open and lives on as a descriptor only. Descriptors belong to the process, so worker threads can
 * write through them.
 */
export class TempFiles {
  readonly #open: number[] = [];
  /** Folders to remove at exit, since Windows does not unlink open files. */
  readonly #folders: string[] = [];
  readonly #onExit = () => this.close();

  /** Opens a new temporary file for reading and writing and returns its descriptor. Throws `output_unwritable`. */
  open(): number {
    try {
      const folder = mkdtempSync(join(tmpdir(), 'assay-'));
      const path = join(folder, 'spool');
      const fd = openSync(path, 'wx+', 0o600);
      this.#open.push(fd);
      this.#unlink(folder, path);
      return fd;
    } catch (thrown) {
      throw new AssayError('output_unwritable', `cannot create a temporary file: ${messageOf(thrown)}`, {
        path: tmpdir(),
        advice: 'free disk space there, or set TMPDIR to a folder with free space',
        cause: thrown,
      });
    }
  }

  /** Closes all files and removes remaining folders. */
  close(): void {
    process.removeListener('exit', this.#onExit);
    for (const fd of this.#open.splice(0)) closeSync(fd);
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }

  #unlink(folder: string, path: string): void {
    if (process.platform === 'win32') {
      if (this.#folders.length === 0) process.on('exit', this.#onExit);
      this.#folders.push(folder);
      return;
    }
    unlinkSync(path);
    rmdirSync(folder);
  }
}
