import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { AssayError, wrapReadError } from '#core';
import type { ReadableFile, SourceTree } from '#io/sources';

/** Random access to the bytes of a shard; a compressed one can only be read forwards. */
export interface RecordSource {
  /** Total bytes; `null` if it is known only after reading to the end. */
  readonly size: number | null;
  /**
   * Reads `length` bytes at `position`, fewer at the end of the file. The result is valid until the next call, whose
   * position must not be smaller.
   */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

const blockBytes = 1024 * 1024;
/** Maximum ratio of inflated to stored bytes: images and floats hardly compress. */
const maxInflation = 200;
const alwaysAllowedBytes = 256 * 1024 * 1024;

/** Opens a shard, plain or gzip according to its first bytes; the caller must close it. */
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
          throw wrapReadError(thrown, this.#path, 'check the disk for errors');
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
  /** Bytes [#start, #start + #buffered) of the file are at the start of #buffer. */
  #buffer = new Uint8Array(blockBytes);
  #start = 0;
  #buffered = 0;
  #ended = false;

  constructor(file: ReadableFile, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.#limit = Math.max(alwaysAllowedBytes, size * maxInflation);
    this.#raw = Readable.from(readBlocks(file), { objectMode: false });
    const inflate = createGunzip({ chunkSize: blockBytes, finishFlush: constants.Z_SYNC_FLUSH });
    this.#raw.on('error', (thrown) => inflate.destroy(thrown));
    this.#blocks = this.#raw.pipe(inflate)[Symbol.asyncIterator]();
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    this.#dropBefore(position);
    while (this.#start + this.#buffered < position + length && !this.#ended) {
      await this.#readBlock();
      this.#dropBefore(position);
    }
    const offset = position - this.#start;
    return this.#buffer.subarray(offset, Math.max(offset, Math.min(this.#buffered, offset + length)));
  }

  async close(): Promise<void> {
    this.#raw.destroy();
    await this.#file.close().catch(() => undefined);
  }

  /** Drops buffered bytes before `position`. */
  #dropBefore(position: number): void {
    const dropped = Math.min(this.#buffered, position - this.#start);
    if (dropped <= 0) return;
    this.#buffer.copyWithin(0, dropped, this.#buffered);
    this.#buffered -= dropped;
    this.#start += dropped;
  }

  async #readBlock(): Promise<void> {
    const next = await this.#blocks.next().catch(() => ({ done: true as const, value: undefined }));
    if (next.done === true) {
      this.#ended = true;
      return;
    }
    const needed = this.#buffered + next.value.length;
    if (this.#start + needed > this.#limit) {
      throw new AssayError('limit_exceeded', `${this.#path} decompresses to more than ${this.#limit} bytes`, {
        path: this.#path,
        advice: 'decompress the shard yourself and check its contents',
      });
    }
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#buffered));
      this.#buffer = larger;
    }
    this.#buffer.set(next.value, this.#buffered);
    this.#buffered = needed;
  }
}

async function* readBlocks(file: ReadableFile): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(new Uint8Array(blockBytes), 0, blockBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * A record at a position of a TFRecord file: u64 length, masked CRC-32C of the length, the data, masked CRC-32C of the
 * data, all little-endian.
 */
export type Frame =
  | { readonly kind: 'record'; readonly at: number; readonly length: number; readonly next: number }
  /** The length does not match its checksum; `next` is the next valid header. */
  | { readonly kind: 'damaged'; readonly at: number; readonly next: number }
  /** The file ends within the record. */
  | { readonly kind: 'cut'; readonly at: number; readonly next: number };

export const headerBytes = 12;
export const footerBytes = 4;
const scanBytes = 256 * 1024;

/**
 * Reads the frame header at a position: a record, a damaged header (`next` is the next valid one) or a frame cut by the
 * end of the file; `null` at the end.
 */
export async function readFrame(source: RecordSource, at: number): Promise<Frame | null> {
  const head = await source.read(at, headerBytes);
  if (head.length === 0) return null;
  if (head.length < headerBytes) return { kind: 'cut', at, next: at + head.length };
  const length = readLength(head, 0);
  if (length === null) return { kind: 'damaged', at, next: await findNextHeader(source, at + 1) };
  const next = at + headerBytes + length + footerBytes;
  if (source.size !== null && next > source.size) return { kind: 'cut', at, next: source.size };
  return { kind: 'record', at, length, next };
}

/** Returns the record length in the header at `at`; `null` if its checksum does not match. */
export function readLength(bytes: Uint8Array, at: number): number | null {
  // No record is as long as 2^40 bytes, so most damage is found without computing a CRC.
  if (at + headerBytes > bytes.length || (bytes[at + 5] | bytes[at + 6] | bytes[at + 7]) !== 0) return null;
  if (maskedCrc32c(bytes, at, at + 8) !== uint32(bytes, at + 8)) return null;
  return uint32(bytes, at) + bytes[at + 4] * 4294967296;
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** Returns the position of the next valid header, or the end of the file. */
async function findNextHeader(source: RecordSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const block = await source.read(at, scanBytes);
    for (let offset = 0; offset + headerBytes <= block.length; offset++) {
      // Empty records do not occur, so ranges of zeros are skipped quickly.
      if (uint32(block, offset) === 0 && block[offset + 4] === 0) continue;
      if (readLength(block, offset) !== null) return at + offset;
    }
    if (block.length < scanBytes) return at + block.length;
    at += block.length - headerBytes + 1;
  }
}

/** Castagnoli's polynomial, bit-reversed (RFC 3720, appendix B.4). */
const polynomial = 0x82f63b78;
const slices = 8;
/** Below this length, processing single bytes is faster. */
const shortBytes = 32;

/**
 * Row s holds the CRC of a byte followed by s zero bytes, so that eight bytes are processed per step (slicing-by-8).
 */
const crcTable = makeTable();

/** Returns the CRC-32C of `bytes[from..to)`, as used by TFRecord. Node's `zlib.crc32` uses another polynomial. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = -1;
  let at = from;
  if (to - from < shortBytes) {
    while (at < to) crc = updateCrc(crc, bytes[at++]);
    return ~crc >>> 0;
  }
  while (at < to && ((bytes.byteOffset + at) & 3) !== 0) crc = updateCrc(crc, bytes[at++]);
  const pairs = (to - at) >>> 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, pairs * 2);
  for (let i = 0; i < words.length; i += 2) {
    const low = crc ^ words[i];
    const high = words[i + 1];
    crc =
      crcTable[1792 + (low & 255)] ^
      crcTable[1536 + ((low >>> 8) & 255)] ^
      crcTable[1280 + ((low >>> 16) & 255)] ^
      crcTable[1024 + (low >>> 24)] ^
      crcTable[768 + (high & 255)] ^
      crcTable[512 + ((high >>> 8) & 255)] ^
      crcTable[256 + ((high >>> 16) & 255)] ^
      crcTable[high >>> 24];
  }
  for (at += pairs * 8; at < to; at++) crc = updateCrc(crc, bytes[at]);
  return ~crc >>> 0;
}

/**
 * Returns the masked CRC-32C of `bytes[from..to)`. TFRecord masks CRCs so that CRCs of data that contains CRCs stay
 * robust (tsl/lib/hash/crc32c.h).
 */
export function maskedCrc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const crc = crc32c(bytes, from, to);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

function updateCrc(crc: number, byte: number): number {
  return crcTable[(crc ^ byte) & 255] ^ (crc >>> 8);
}

function makeTable(): Int32Array {
  const rows = new Int32Array(slices * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ polynomial;
    rows[byte] = crc;
  }
  for (let i = 256; i < rows.length; i++) {
    const previous = rows[i - 256];
    rows[i] = rows[previous & 255] ^ (previous >>> 8);
  }
  return rows;
}
