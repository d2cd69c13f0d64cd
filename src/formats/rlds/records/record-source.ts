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
