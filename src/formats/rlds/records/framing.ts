import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { AssayError, asUnreadable } from '#core';
import type { ReadableFile, SourceTree } from '#io/sources';

/** Bytes of a shard by their place. A compressed one is read forwards only. */
export interface RecordSource {
  /** Bytes in all; null where only reading to the end tells. */
  readonly size: number | null;
  /** Bytes from `position` on, fewer at the end; valid until the next call, which asks for nothing before `position`. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

const blockBytes = 1024 * 1024;
/** Inflated, a shard may be this many times its size: pictures and floats hardly shrink. */
const mostInflation = 200;
const alwaysInflated = 256 * 1024 * 1024;

export async function openRecordSource(tree: SourceTree, path: string): Promise<RecordSource> {
  const head = await tree.head(path, 2);
  const file = await tree.openFile(path);
  const size = tree.entry(path)?.bytes ?? 0;
  return isGzip(head) ? new GzipSource(file, path, size) : new PlainSource(file, path, size);
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

class PlainSource implements RecordSource {
  readonly size: number;
  readonly #file: ReadableFile;
  readonly #path: string;
  #buffer = new Uint8Array(64 * 1024);

  constructor(file: ReadableFile, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.size = size;
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const count = Math.max(0, Math.min(length, this.size - position));
    if (count > this.#buffer.length) this.#buffer = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      const { bytesRead } = await this.#file
        .read(this.#buffer, filled, count - filled, position + filled)
        .catch((thrown: unknown) => {
          throw asUnreadable(thrown, this.#path, 'check the disk the file lies on');
        });
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return this.#buffer.subarray(0, filled);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

class GzipSource implements RecordSource {
  readonly size = null;
  readonly #path: string;
  readonly #limit: number;
  readonly #raw: Readable;
  readonly #blocks: AsyncIterator<Buffer>;
  readonly #file: ReadableFile;
  /** Bytes [#start, #start + #held) lie at the front of #buffer. */
  #buffer = new Uint8Array(blockBytes);
  #start = 0;
  #held = 0;
  #ended = false;

  constructor(file: ReadableFile, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.#limit = Math.max(alwaysInflated, size * mostInflation);
    this.#raw = Readable.from(blocksOf(file), { objectMode: false });
    const inflate = createGunzip({ chunkSize: blockBytes, finishFlush: constants.Z_SYNC_FLUSH });
    this.#raw.on('error', (thrown) => inflate.destroy(thrown));
    this.#blocks = this.#raw.pipe(inflate)[Symbol.asyncIterator]();
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    this.#forget(position);
    while (this.#start + this.#held < position + length && !this.#ended) {
      await this.#more();
      this.#forget(position);
    }
    const offset = position - this.#start;
    return this.#buffer.subarray(offset, Math.max(offset, Math.min(this.#held, offset + length)));
  }

  async close(): Promise<void> {
    this.#raw.destroy();
    await this.#file.close().catch(() => undefined);
  }

  /** What lies before `position` will not be asked for again. */
  #forget(position: number): void {
    const gone = Math.min(this.#held, position - this.#start);
    if (gone <= 0) return;
    this.#buffer.copyWithin(0, gone, this.#held);
    this.#held -= gone;
    this.#start += gone;
  }

  async #more(): Promise<void> {
    const next = await this.#blocks.next().catch(() => ({ done: true as const, value: undefined }));
    if (next.done === true) {
      this.#ended = true;
      return;
    }
    const needed = this.#held + next.value.length;
    if (this.#start + needed > this.#limit) {
      throw new AssayError('limit_exceeded', `${this.#path} inflates to more than ${this.#limit} bytes`, {
        path: this.#path,
        advice: 'unpack the shard yourself and look at what it holds',
      });
    }
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#held));
      this.#buffer = larger;
    }
    this.#buffer.set(next.value, this.#held);
    this.#held = needed;
  }
}

async function* blocksOf(file: ReadableFile): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(new Uint8Array(blockBytes), 0, blockBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * What stands at a place of a TFRecord file: u64 length, masked CRC-32C of the length, the data, masked CRC-32C of the
 * data, all little-endian.
 */
export type Frame =
  | { readonly kind: 'record'; readonly at: number; readonly length: number; readonly next: number }
  /** The length is damaged; the next sound one was looked for. */
  | { readonly kind: 'damaged'; readonly at: number; readonly next: number }
  /** The file ends within the record. */
  | { readonly kind: 'cut'; readonly at: number; readonly next: number };

export const headerBytes = 12;
export const footerBytes = 4;
const scanBytes = 256 * 1024;

/** The frame at `at`; null at the end of the file. */
export async function frameAt(source: RecordSource, at: number): Promise<Frame | null> {
  const head = await source.read(at, headerBytes);
  if (head.length === 0) return null;
  if (head.length < headerBytes) return { kind: 'cut', at, next: at + head.length };
  const length = lengthIn(head, 0);
  if (length === null) return { kind: 'damaged', at, next: await nextHeader(source, at + 1) };
  const next = at + headerBytes + length + footerBytes;
  if (source.size !== null && next > source.size) return { kind: 'cut', at, next: source.size };
  return { kind: 'record', at, length, next };
}

/** The length that a sound header at `offset` declares; null where its CRC does not fit. */
export function lengthIn(bytes: Uint8Array, at: number): number | null {
  // No record is as long as 2^40 bytes: most damage is seen without a CRC.
  if (at + headerBytes > bytes.length || (bytes[at + 5] | bytes[at + 6] | bytes[at + 7]) !== 0) return null;
  if (maskedCrc32c(bytes, at, at + 8) !== uint32(bytes, at + 8)) return null;
  return uint32(bytes, at) + bytes[at + 4] * 4294967296;
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Where the next sound header begins, or the end of the file. */
async function nextHeader(source: RecordSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const block = await source.read(at, scanBytes);
    for (let offset = 0; offset + headerBytes <= block.length; offset++) {
      // A record of no bytes is nobody's: ranges of zeros are passed over quickly.
      if (uint32(block, offset) === 0 && block[offset + 4] === 0) continue;
      if (lengthIn(block, offset) !== null) return at + offset;
    }
    if (block.length < scanBytes) return at + block.length;
    at += block.length - headerBytes + 1;
  }
}

/** Castagnoli's polynomial, bits reversed (RFC 3720, appendix B.4). */
const polynomial = 0x82f63b78;
const slices = 8;
/** Below this the words cost more than they save. */
const shortBytes = 32;

/** Row s holds the CRC of a byte that s zero bytes follow, so that eight bytes are taken in one step. */
const table = makeTable();

/** CRC-32C of `bytes[from..to)`, as TFRecord uses it; Node's `zlib.crc32` is of another polynomial. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = -1;
  let at = from;
  if (to - from < shortBytes) {
    while (at < to) crc = step(crc, bytes[at++]);
    return ~crc >>> 0;
  }
  while (at < to && ((bytes.byteOffset + at) & 3) !== 0) crc = step(crc, bytes[at++]);
  const pairs = (to - at) >>> 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, pairs * 2);
  for (let i = 0; i < words.length; i += 2) {
    const low = crc ^ words[i];
    const high = words[i + 1];
    crc =
      table[1792 + (low & 255)] ^
      table[1536 + ((low >>> 8) & 255)] ^
      table[1280 + ((low >>> 16) & 255)] ^
      table[1024 + (low >>> 24)] ^
      table[768 + (high & 255)] ^
      table[512 + ((high >>> 8) & 255)] ^
      table[256 + ((high >>> 16) & 255)] ^
      table[high >>> 24];
  }
  for (at += pairs * 8; at < to; at++) crc = step(crc, bytes[at]);
  return ~crc >>> 0;
}

/** TFRecord writes CRCs masked, so that a CRC of bytes that hold CRCs stays a good one (tsl/lib/hash/crc32c.h). */
export function maskedCrc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const crc = crc32c(bytes, from, to);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

function step(crc: number, byte: number): number {
  return table[(crc ^ byte) & 255] ^ (crc >>> 8);
}

function makeTable(): Int32Array {
  const rows = new Int32Array(slices * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ polynomial;
    rows[byte] = crc;
  }
  for (let i = 256; i < rows.length; i++) {
    const before = rows[i - 256];
    rows[i] = rows[before & 255] ^ (before >>> 8);
  }
  return rows;
}
