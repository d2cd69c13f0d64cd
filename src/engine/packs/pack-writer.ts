import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { unwritable } from '../steps/judge/receipt-files.ts';

const blockBytes = 1 << 20;
/** A UTF-16 unit takes at most so many bytes. */
const widest = 3;

/** A range of a pack, in bytes. */
export type Extent = readonly [offset: number, length: number];

/** A pack being written to a local file: sections one after the other, each found again by its extent. */
export class PackWriter {
  readonly path: string;
  readonly #fd: number;
  #closed = false;
  #written = 0;
  /** What is not in the file yet. */
  #block = Buffer.allocUnsafeSlow(blockBytes);
  #filled = 0;

  constructor(path: string) {
    this.path = path;
    try {
      this.#fd = openSync(path, 'w', 0o600);
    } catch (thrown) {
      throw unwritable(thrown, path);
    }
  }

  /** Adds a line of text; gives its length in bytes without the end of the line. */
  line(text: string): number {
    const most = text.length * widest + 1;
    if (most > this.#block.length - this.#filled) this.#flush();
    if (most > this.#block.length) return this.#longLine(text);
    const length = this.#block.write(text, this.#filled);
    this.#filled += length;
    this.#block[this.#filled++] = lineEnd;
    return length;
  }

  bytes(bytes: Uint8Array): Extent {
    this.#flush();
    const offset = this.#written;
    this.#write(bytes);
    return [offset, bytes.length];
  }

  /** Bytes so far: where the next section begins. */
  get position(): number {
    return this.#written + this.#filled;
  }

  /** Forgets everything after `position`. */
  rewind(position: number): void {
    this.#flush();
    this.#written = position;
  }

  /** Asked again, as whoever clears up after a fault does, it does nothing: the number may be another file's by then. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#flush();
      ftruncateSync(this.#fd, this.#written);
    } finally {
      closeSync(this.#fd);
    }
  }

  #longLine(text: string): number {
    const bytes = Buffer.from(`${text}\n`);
    this.#write(bytes);
    return bytes.length - 1;
  }

  #flush(): void {
    const filled = this.#filled;
    this.#filled = 0;
    if (filled > 0) this.#write(this.#block.subarray(0, filled));
  }

  #write(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#written + done);
      }
    } catch (thrown) {
      throw unwritable(thrown, this.path);
    }
    this.#written += bytes.length;
  }
}

const lineEnd = 10;
