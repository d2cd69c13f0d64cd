import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { unwritable } from '../../assessment/receipt-files.ts';

const blockBytes = 1 << 20;

/** A stretch of a pack, in bytes. */
export type Extent = readonly [offset: number, length: number];

/** A pack being written to a local file: sections one after the other, each found again by its extent. */
export class PackWriter {
  readonly path: string;
  readonly #fd: number;
  #written = 0;
  #pending: string[] = [];
  #pendingLength = 0;

  constructor(path: string) {
    this.path = path;
    try {
      this.#fd = openSync(path, 'w', 0o600);
    } catch (thrown) {
      throw unwritable(thrown, path);
    }
  }

  /** Adds a line of text; it counts in `position` once that is asked for. */
  line(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length + 1;
    if (this.#pendingLength >= blockBytes) this.#flush();
  }

  bytes(bytes: Uint8Array): Extent {
    this.#flush();
    const offset = this.#written;
    this.#write(bytes);
    return [offset, bytes.length];
  }

  /** Bytes so far: where the next section begins. */
  get position(): number {
    this.#flush();
    return this.#written;
  }

  /** Forgets everything after `position`. */
  rewind(position: number): void {
    this.#pending = [];
    this.#pendingLength = 0;
    this.#written = position;
  }

  close(): void {
    try {
      this.#flush();
      ftruncateSync(this.#fd, this.#written);
    } finally {
      closeSync(this.#fd);
    }
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const block = Buffer.from(`${this.#pending.join('\n')}\n`);
    this.#pending = [];
    this.#pendingLength = 0;
    this.#write(block);
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
