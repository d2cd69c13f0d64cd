import { wrapReadError } from '#core';
import type { ReadableFile } from '../byte-store.ts';
import type { SourceTree } from '../source-tree.ts';

const windowBytes = 64 * 1024;

/** Reads small pieces of a file through a buffer of 64 KiB that moves with the position; skipped bytes are not read. */
export class FileWindow {
  readonly #file: ReadableFile;
  readonly size: number;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: ReadableFile, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** Returns `length` bytes from `position`; fewer at the end of the file. The buffer is valid until the next call. */
  async read(position: number, length: number): Promise<Buffer> {
    const offset = position - this.#start;
    if (offset >= 0 && offset + length <= this.#bytes.length)
      return this.#bytes.subarray(offset, offset + length);
    const windowLength = Math.max(length, Math.min(windowBytes, this.size - position));
    if (position >= this.size) return Buffer.alloc(0);
    const block = Buffer.allocUnsafe(Math.min(windowLength, this.size - position));
    const { bytesRead } = await this.#file.read(block, 0, block.length, position);
    this.#start = position;
    this.#bytes = block.subarray(0, bytesRead);
    return this.#bytes.subarray(0, length);
  }
}

/** Opens a file of a tree; later read errors, like those of opening, are AssayErrors that name the file. */
export async function openWithNamedErrors(tree: SourceTree, path: string): Promise<ReadableFile> {
  return withNamedErrors(await tree.openFile(path), path);
}

/** Wraps a file so that its read errors are AssayErrors that name `path`. */
export function withNamedErrors(file: ReadableFile, path: string): ReadableFile {
  return {
    read: (into, offset, length, position) =>
      file.read(into, offset, length, position).catch((thrown: unknown) => {
        throw wrapReadError(thrown, path, 'check the disk for errors');
      }),
    close: () => file.close(),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Wraps bytes in memory as a ReadableFile. */
export function memoryFile(bytes: Uint8Array): ReadableFile {
  return {
    read: async (into, offset, length, position) => {
      const part = bytes.subarray(position, position + length);
      into.set(part, offset);
      return { bytesRead: part.length, buffer: into };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
