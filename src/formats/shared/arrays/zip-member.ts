import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AssayError } from '#core';
import type { ReadableFile } from '#io/sources';
import { readAt, type ZipMember } from './zip-directory.ts';

/** Bytes of a file or of a part of it, read by position. */
export interface ByteAccess {
  readonly size: number;
  /** Bytes that it takes in the file. */
  readonly stored: number;
  /** False if reading backwards starts again at the first byte. */
  readonly isRandom: boolean;
  /** Reads `length` bytes from `position`; fewer at the end. */
  read(position: number, length: number): Promise<Buffer<ArrayBuffer>>;
  /** Stops a decompression that is still running. Does not close the file. */
  close(): void;
}

/** Returns access to `size` bytes of an open file from `start`; reads end there, and `close` leaves the file open. */
export function fileBytes(file: ReadableFile, size: number, start = 0): ByteAccess {
  return {
    ...{ size, stored: size, isRandom: true },
    read: (position, length) =>
      readAt(file, start + position, Math.max(0, Math.min(length, size - position))),
    close: () => {},
  };
}

/** Returns access to bytes in memory; each read returns a copy, so that its byte order can be changed in place. */
export function memoryBytes(bytes: Uint8Array): ByteAccess {
  return {
    ...{ size: bytes.length, stored: bytes.length, isRandom: true },
    read: async (position, length) =>
      Buffer.from(Uint8Array.from(bytes.subarray(position, position + length)).buffer),
    close: () => {},
  };
}

const localHeaderBytes = 30;
const localSignature = 0x04034b50;

/**
 * Opens a stored or deflated member of a zip; throws `unreadable_input` for any other, and reading it to the end does
 * so if its checksum differs.
 *
 * Deflated members are decompressed as they are read, in order, so memory does not depend on their size. The checksum
 * is verified if all bytes are read in order.
 * @param label file and member, for messages
 */
export async function openZipMember(
  file: ReadableFile,
  member: ZipMember,
  label: string,
): Promise<ByteAccess> {
  if (member.encrypted) throw memberError(label, 'is encrypted', 'write it without a password');
  if (member.method !== 0 && member.method !== 8)
    throw memberError(
      label,
      `has the unsupported zip compression method ${member.method}`,
      'write it with numpy.savez',
    );
  const head = await readAt(file, member.header_offset, localHeaderBytes);
  if (head.length < localHeaderBytes || head.readUInt32LE(0) !== localSignature)
    throw memberError(label, 'is not at the position given in the zip directory', 'copy the file again');
  const start = member.header_offset + localHeaderBytes + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (member.method === 0 && member.stored_bytes !== member.plain_bytes)
    throw memberError(label, 'has two different sizes in the zip directory', 'copy the file again');
  const source =
    member.method === 0
      ? fileBytes(file, member.plain_bytes, start)
      : new InflatedBytes(file, start, member, label);
  return new CheckedBytes(source, member, label);
}

function memberError(label: string, what: string, advice: string): AssayError {
  return new AssayError('unreadable_input', `${label} ${what}`, { path: label, advice });
}

/** Verifies the checksum of bytes that are read in order. */
class CheckedBytes implements ByteAccess {
  readonly size: number;
  readonly stored: number;
  readonly isRandom: boolean;
  readonly #source: ByteAccess;
  readonly #crc32: number;
  readonly #label: string;
  #position = 0;
  #crc = 0;

  constructor(source: ByteAccess, { crc32: expected, stored_bytes }: ZipMember, label: string) {
    this.size = source.size;
    this.stored = stored_bytes;
    this.isRandom = source.isRandom;
    this.#source = source;
    this.#crc32 = expected;
    this.#label = label;
  }

  async read(position: number, length: number): Promise<Buffer<ArrayBuffer>> {
    const bytes = await this.#source.read(position, length);
    if (position === 0) [this.#position, this.#crc] = [0, 0];
    if (position !== this.#position) return bytes;
    this.#crc = crc32(bytes, this.#crc);
    this.#position += bytes.length;
    if (this.#position === this.size && bytes.length > 0 && this.#crc !== this.#crc32)
      throw memberError(
        this.#label,
        'has another checksum than the zip directory: its bytes changed',
        'copy the file again',
      );
    return bytes;
  }

  close(): void {
    this.#source.close();
  }
}

const blockBytes = 256 * 1024;

/** Bytes of a deflated member, decompressed up to the position that is read. */
class InflatedBytes implements ByteAccess {
  readonly size: number;
  readonly stored: number;
  readonly isRandom = false;
  readonly #file: ReadableFile;
  readonly #start: number;
  readonly #label: string;
  #stream: ReturnType<typeof createInflateRaw> | null = null;
  #blocks: AsyncIterator<Buffer> | null = null;
  /** The last block, and the position of its first byte. */
  #block: Buffer = Buffer.alloc(0);
  #position = 0;

  constructor(file: ReadableFile, start: number, { stored_bytes, plain_bytes }: ZipMember, label: string) {
    this.size = plain_bytes;
    this.stored = stored_bytes;
    this.#file = file;
    this.#start = start;
    this.#label = label;
  }

  async read(position: number, length: number): Promise<Buffer<ArrayBuffer>> {
    const end = Math.min(this.size, position + length);
    if (position < this.#position) this.close();
    const into = Buffer.allocUnsafeSlow(Math.max(0, end - position));
    for (let filled = 0; filled < into.length; ) {
      const at = position + filled - this.#position;
      if (at < this.#block.length) filled += this.#block.copy(into, filled, at);
      else if (!(await this.#next())) return into.subarray(0, filled);
    }
    return into;
  }

  /** Decompresses the next block; false at the end. */
  async #next(): Promise<boolean> {
    if (this.#blocks === null) {
      this.#stream = createInflateRaw({ chunkSize: blockBytes });
      const source = Readable.from(this.#stored());
      source.on('error', (error) => this.#stream?.destroy(error));
      this.#blocks = source.pipe(this.#stream)[Symbol.asyncIterator]();
    }
    try {
      const { value, done } = await this.#blocks.next();
      this.#position += this.#block.length;
      this.#block = done === true ? Buffer.alloc(0) : value;
      return done !== true;
    } catch (thrown) {
      this.close();
      if (thrown instanceof AssayError) throw thrown;
      throw memberError(this.#label, 'cannot be decompressed: its bytes changed', 'copy the file again');
    }
  }

  async *#stored(): AsyncGenerator<Buffer> {
    for (let from = 0; from < this.stored; from += blockBytes)
      yield await readAt(this.#file, this.#start + from, Math.min(blockBytes, this.stored - from));
  }

  close(): void {
    this.#stream?.destroy();
    [this.#stream, this.#blocks, this.#block, this.#position] = [null, null, Buffer.alloc(0), 0];
  }
}
