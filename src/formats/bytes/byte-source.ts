import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { asUnreadable } from '#kernel';
import type { ReadableFile } from './byte-store.ts';
import type { SourceTree } from './source-tree.ts';

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
  const handle = await tree.openFile(path);
  const stored = tree.entry(path)?.bytes ?? 0;
  return compressed ? new ZstdSource(handle, path, stored) : new PlainSource(handle, path, stored, hashes);
}

class PlainSource implements ByteSource {
  readonly stored: number;
  readonly size: number;
  readonly #handle: ReadableFile;
  readonly #path: string;
  readonly #hashesOnTheWay: boolean;
  readonly #hash: Hash = createHash('sha256');
  #position = 0;
  #hashed = 0;
  #digest: string | null = null;

  constructor(handle: ReadableFile, path: string, stored: number, hashes: boolean) {
    this.#handle = handle;
    this.#path = path;
    this.#hashesOnTheWay = hashes;
    this.stored = stored;
    this.size = stored;
  }

  async read(into: Uint8Array): Promise<number> {
    const length = Math.min(into.length, this.size - this.#position);
    if (length <= 0) return 0;
    const count = await this.#readAt(into, length, this.#position);
    if (this.#hashesOnTheWay && this.#hashed === this.#position && this.#digest === null) {
      this.#hash.update(into.subarray(0, count));
      this.#hashed += count;
    }
    this.#position += count;
    return count;
  }

  async sha256(): Promise<string> {
    if (this.#digest !== null) return this.#digest;
    const block = new Uint8Array(blockBytes);
    while (this.#hashed < this.size) {
      const count = await this.#readAt(block, Math.min(block.length, this.size - this.#hashed), this.#hashed);
      if (count === 0) break;
      this.#hash.update(block.subarray(0, count));
      this.#hashed += count;
    }
    this.#digest = this.#hash.digest('hex');
    return this.#digest;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #readAt(into: Uint8Array, length: number, position: number): Promise<number> {
    try {
      return (await this.#handle.read(into, 0, length, position)).bytesRead;
    } catch (thrown) {
      throw asUnreadable(thrown, this.#path, 'check the disk the file lies on');
    }
  }
}

async function* blocksOf(handle: ReadableFile): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(blockBytes), 0, blockBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

class ZstdSource implements ByteSource {
  readonly stored: number;
  readonly size = null;
  readonly #handle: ReadableFile;
  readonly #path: string;
  readonly #raw: Readable;
  readonly #blocks: AsyncIterator<Uint8Array>;
  #block: Uint8Array = new Uint8Array(0);
  #digest: string | null = null;

  constructor(handle: ReadableFile, path: string, stored: number) {
    this.#handle = handle;
    this.#path = path;
    this.stored = stored;
    this.#raw = Readable.from(blocksOf(handle), { objectMode: false });
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
  async sha256(): Promise<string> {
    if (this.#digest !== null) return this.#digest;
    const hash = createHash('sha256');
    const block = new Uint8Array(blockBytes);
    let position = 0;
    while (position < this.stored) {
      const { bytesRead } = await this.#handle.read(block, 0, block.length, position);
      if (bytesRead === 0) break;
      hash.update(block.subarray(0, bytesRead));
      position += bytesRead;
    }
    this.#digest = hash.digest('hex');
    return this.#digest;
  }

  async close(): Promise<void> {
    this.#raw.destroy();
    await this.#handle.close().catch(() => undefined);
  }
}
