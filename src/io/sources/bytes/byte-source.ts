import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { asUnreadable } from '#core';
import type { ReadableFile } from '../byte-store.ts';
import type { SourceTree } from '../source-tree.ts';
import { HashAsRead } from './hash-as-read.ts';
import { openWithFaultsNamed } from './named-faults.ts';

/** Bytes of a recording from its first to its last, hashed on the way. */
export interface ByteSource {
  /** Bytes of the stored file. */
  readonly stored: number;
  /** Bytes the reader will see; null when the file is compressed as a whole. */
  readonly size: number | null;
  /** Fills `into` as far as it can; 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  /** SHA-256 of the stored file. Reads what has not been read yet, so it may be asked for at any time. */
  sha256(): Promise<string>;
  close(): Promise<void>;
}

const blockBytes = 1024 * 1024;

export interface SourceOptions {
  /** The file is one zstd frame, to be inflated on the way. */
  readonly compressed?: boolean;
  /** False: nobody will ask for its hash, so that none is taken on the way. */
  readonly hashes?: boolean;
}

export async function openByteSource(
  tree: SourceTree,
  path: string,
  { compressed = false, hashes = true }: SourceOptions = {},
): Promise<ByteSource> {
  const file = await openWithFaultsNamed(tree, path);
  const stored = tree.entry(path)?.bytes ?? 0;
  return compressed ? new ZstdSource(file, path, stored) : new PlainSource(file, stored, hashes);
}

class PlainSource implements ByteSource {
  readonly stored: number;
  readonly size: number;
  readonly #file: ReadableFile;
  readonly #hashesOnTheWay: boolean;
  readonly #hash = new HashAsRead();
  #position = 0;

  constructor(file: ReadableFile, stored: number, hashes: boolean) {
    this.#file = file;
    this.#hashesOnTheWay = hashes;
    this.stored = stored;
    this.size = stored;
  }

  async read(into: Uint8Array): Promise<number> {
    const length = Math.min(into.length, this.size - this.#position);
    if (length <= 0) return 0;
    const { bytesRead } = await this.#file.read(into, 0, length, this.#position);
    if (this.#hashesOnTheWay) this.#hash.saw(into.subarray(0, bytesRead), this.#position);
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

async function* blocksOf(file: ReadableFile): AsyncGenerator<Uint8Array> {
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
  readonly #hash = new HashAsRead();
  #block: Uint8Array = new Uint8Array(0);

  constructor(file: ReadableFile, path: string, stored: number) {
    this.#file = file;
    this.#path = path;
    this.stored = stored;
    this.#raw = Readable.from(blocksOf(file), { objectMode: false });
    const inflate = createZstdDecompress({ chunkSize: blockBytes });
    this.#raw.on('error', (thrown) => inflate.destroy(thrown));
    this.#blocks = this.#raw.pipe(inflate)[Symbol.asyncIterator]();
  }

  async read(into: Uint8Array): Promise<number> {
    if (this.#block.length === 0) {
      const next = await this.#blocks.next().catch((thrown: unknown) => {
        throw asUnreadable(thrown, this.#path, 'the file is not one whole zstd frame; fetch it again');
      });
      if (next.done === true) return 0;
      this.#block = next.value;
    }
    const count = Math.min(into.length, this.#block.length);
    into.set(this.#block.subarray(0, count));
    this.#block = this.#block.subarray(count);
    return count;
  }

  /** From the start, on its own: the stream above may have stopped anywhere. */
  sha256(): Promise<string> {
    return this.#hash.digest(this.#file, this.stored);
  }

  async close(): Promise<void> {
    this.#raw.destroy();
    await this.#file.close().catch(() => undefined);
  }
}
