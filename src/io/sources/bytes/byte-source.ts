import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { wrapReadError } from '#core';
import type { ReadableFile } from '../byte-store.ts';
import type { SourceTree } from '../source-tree.ts';
import { IncrementalHash } from './hashing.ts';
import { openWithNamedErrors } from './readable-files.ts';

/** Sequential reader of a recording file that hashes the stored bytes as they are read. */
export interface ByteSource {
  /** Size of the stored file in bytes. */
  readonly stored: number;
  /** Number of bytes that `read` will deliver in total; null if the file is compressed as a whole. */
  readonly size: number | null;
  /** Reads the next bytes into `into` and returns their number, which may be less than its length; 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  /**
   * SHA-256 of the stored file, lower-case hexadecimal. Reads the bytes that have not been read yet, so it can be
   * called at any time.
   */
  sha256(): Promise<string>;
  close(): Promise<void>;
}

const blockBytes = 1024 * 1024;

/** Options of `openByteSource`. */
export interface SourceOptions {
  /** The file is one zstd frame that is decompressed while reading. Default false. */
  readonly compressed?: boolean;
  /** True (default) if bytes are hashed while they are read; set to false if `sha256` will not be called. */
  readonly hashes?: boolean;
}

/**
 * Opens a file of a tree for sequential reading, decompressing zstd if `compressed`; read errors are AssayErrors that
 * name the file.
 */
export async function openByteSource(
  tree: SourceTree,
  path: string,
  { compressed = false, hashes = true }: SourceOptions = {},
): Promise<ByteSource> {
  const file = await openWithNamedErrors(tree, path);
  const stored = tree.entry(path)?.bytes ?? 0;
  return compressed ? new ZstdSource(file, path, stored) : new PlainSource(file, stored, hashes);
}

class PlainSource implements ByteSource {
  readonly stored: number;
  readonly size: number;
  readonly #file: ReadableFile;
  readonly #hashesWhileReading: boolean;
  readonly #hash = new IncrementalHash();
  #position = 0;

  constructor(file: ReadableFile, stored: number, hashes: boolean) {
    this.#file = file;
    this.#hashesWhileReading = hashes;
    this.stored = stored;
    this.size = stored;
  }

  async read(into: Uint8Array): Promise<number> {
    const length = Math.min(into.length, this.size - this.#position);
    if (length <= 0) return 0;
    const { bytesRead } = await this.#file.read(into, 0, length, this.#position);
    if (this.#hashesWhileReading) this.#hash.update(into.subarray(0, bytesRead), this.#position);
    this.#position += bytesRead;
    return bytesRead;
  }

  sha256(): Promise<string> {
    return this.#hash.digest(this.#file, this.stored);
  }

  close(): Promise<void> {
    return this.#file.close();
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

class ZstdSource implements ByteSource {
  readonly stored: number;
  readonly size = null;
  readonly #file: ReadableFile;
  readonly #path: string;
  readonly #raw: Readable;
  readonly #blocks: AsyncIterator<Uint8Array>;
  readonly #hash = new IncrementalHash();
  #block: Uint8Array = new Uint8Array(0);

  constructor(file: ReadableFile, path: string, stored: number) {
    this.#file = file;
    this.#path = path;
    this.stored = stored;
    this.#raw = Readable.from(readBlocks(file), { objectMode: false });
    const inflate = createZstdDecompress({ chunkSize: blockBytes });
    this.#raw.on('error', (thrown) => inflate.destroy(thrown));
    this.#blocks = this.#raw.pipe(inflate)[Symbol.asyncIterator]();
  }

  async read(into: Uint8Array): Promise<number> {
    if (this.#block.length === 0) {
      const next = await this.#blocks.next().catch((thrown: unknown) => {
        throw wrapReadError(thrown, this.#path, 'the file is not a complete zstd frame; copy it again');
      });
      if (next.done === true) return 0;
      this.#block = next.value;
    }
    const count = Math.min(into.length, this.#block.length);
    into.set(this.#block.subarray(0, count));
    this.#block = this.#block.subarray(count);
    return count;
  }

  /** Hashes the file from its start, independently of the decompression stream, which may have stopped anywhere. */
  sha256(): Promise<string> {
    return this.#hash.digest(this.#file, this.stored);
  }

  async close(): Promise<void> {
    this.#raw.destroy();
    await this.#file.close().catch(() => undefined);
  }
}
