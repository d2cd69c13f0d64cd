import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { AssayError, newId } from '#core';
import type { Blobs } from '#store';
import { unwritableError } from '../judge/receipt-files.ts';
import type { MeasuredUnit } from '../tasks.ts';

const writeBlock_bytes = 1 << 20;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const maxBytesPerUnit = 3;

/** Returns a new unique blob key `PREFIX/what/ID`, sortable by time. Retried units get a new key. */
export function newBlobKey({ blob_prefix }: { readonly blob_prefix: string }, what: string): string {
  return `${blob_prefix}/${what}/${newId('blb')}`;
}

/** A range of a pack: offset and length in bytes. */
export type Extent = readonly [offset: number, length: number];

/**
 * Writes a pack to a local file: sections one after another, each addressed by its extent. Throws
 * `output_unwritable`.
 */
export class PackWriter {
  readonly path: string;
  readonly #fd: number;
  #closed = false;
  #written = 0;
  /** Bytes that are not flushed to the file yet. */
  #block = Buffer.allocUnsafeSlow(writeBlock_bytes);
  #filled = 0;

  constructor(path: string) {
    this.path = path;
    try {
      this.#fd = openSync(path, 'w', 0o600);
    } catch (thrown) {
      throw unwritableError(thrown, path);
    }
  }

  /** Appends a line of text and returns its length in bytes, without the line end. */
  writeLine(text: string): number {
    const maxBytes = text.length * maxBytesPerUnit + 1;
    if (maxBytes > this.#block.length - this.#filled) this.#flush();
    if (maxBytes > this.#block.length) return this.#longLine(text);
    const length = this.#block.write(text, this.#filled);
    this.#filled += length;
    this.#block[this.#filled++] = lineEnd;
    return length;
  }

  /** Appends bytes and returns their extent. */
  writeBytes(bytes: Uint8Array): Extent {
    this.#flush();
    const offset = this.#written;
    this.#write(bytes);
    return [offset, bytes.length];
  }

  /** Returns the number of bytes written so far: the offset of the next section. */
  get position(): number {
    return this.#written + this.#filled;
  }

  /** Discards everything after `position`. */
  rewind(position: number): void {
    this.#flush();
    this.#written = position;
  }

  /**
   * Flushes and closes the file. Does nothing if called again, since the descriptor may belong to another file by
   * then.
   */
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
      throw unwritableError(thrown, this.path);
    }
    this.#written += bytes.length;
  }
}

const lineEnd = 10;

const readBlock_bytes = 4 << 20;

/**
 * Yields the lines of a section of a pack, in order. The next block is fetched while the caller works on the current
 * one. Throws `internal` if the blob is shorter than the section.
 */
export async function* readPackLines(
  blobs: Blobs,
  key: string,
  [offset, length]: Extent,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  const end = offset + length;
  const fetch = (at: number) => (at < end ? blobs.range(key, at, Math.min(readBlock_bytes, end - at)) : null);
  let next = fetch(offset);
  for (let at = offset; next !== null; ) {
    const block = Buffer.from(await next);
    if (block.length === 0)
      throw new AssayError('internal', `the pack ${key} is truncated: it ends before byte ${end}`);
    at += block.length;
    next = fetch(at);
    // Rejections are handled when the block is awaited.
    next?.catch(() => {});
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let start = 0;
    for (let stop = bytes.indexOf(10); stop >= 0; stop = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, stop);
      start = stop + 1;
    }
    rest = bytes.subarray(start);
  }
}

type UnitRows = MeasuredUnit['rows'];

interface Header {
  readonly episodes: readonly string[];
  readonly indices: readonly number[];
  /** Bytes per comparison id, in the order of their data. */
  readonly lengths: Readonly<Record<string, number>>;
}

/** Returns the comparison rows of a unit as one section of a pack: header length (uint32 LE), JSON header, rows. */
export function packUnitRows({ episodes, indices, packed }: UnitRows): Uint8Array {
  const lengths = Object.fromEntries(Object.entries(packed).map(([id, bytes]) => [id, bytes.length]));
  const header = Buffer.from(JSON.stringify({ episodes, indices, lengths } satisfies Header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(header.length);
  return Buffer.concat([size, header, ...Object.values(packed)]);
}

/** Returns the rows of the given `comparisons` from a section that `packUnitRows` made. */
export function unpackUnitRows(section: Uint8Array, comparisons: ReadonlySet<string>): UnitRows {
  const bytes = Buffer.from(section.buffer, section.byteOffset, section.byteLength);
  const start = 4 + bytes.readUInt32LE(0);
  const { episodes, indices, lengths }: Header = JSON.parse(bytes.toString('utf8', 4, start));
  const packed: Record<string, Uint8Array> = {};
  let at = start;
  for (const [id, length] of Object.entries(lengths)) {
    // Copied, so that the memory of the other rows can be freed.
    if (comparisons.has(id)) packed[id] = new Uint8Array(bytes.subarray(at, at + length));
    at += length;
  }
  return { episodes, indices, packed };
}
