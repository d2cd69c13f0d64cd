import { type FileHandle, open } from 'node:fs/promises';
import { AssayError } from '#core';
import { writing } from './writing.ts';

const block = 512;
/** A name that is longer is split into a prefix and this. */
const nameBytes = 100;
const prefixBytes = 155;

/**
 * Writes one tar archive of plain files (POSIX ustar), the same bytes for the same files: no owner, no time. Written by
 * hand: it is one header of fixed fields, and a library would add a stream in between.
 */
export class TarWriter {
  readonly path: string;
  readonly #file: FileHandle;
  bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Throws `output_unwritable`. */
  static async open(path: string): Promise<TarWriter> {
    return new TarWriter(path, await writing(path, open(path, 'wx')));
  }

  async add(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<void> {
    const parts = files.flatMap(([name, bytes]) => {
      const rest = bytes.length % block;
      return [tarHeader(name, bytes.length), bytes, new Uint8Array(rest === 0 ? 0 : block - rest)];
    });
    await this.#write(parts);
  }

  async close(): Promise<void> {
    try {
      await this.#write([new Uint8Array(2 * block)]);
    } finally {
      await this.#file.close();
    }
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    const all = Buffer.concat(parts);
    this.bytes += all.length;
    await writing(this.path, this.#file.appendFile(all));
  }
}

function tarHeader(name: string, size: number): Uint8Array {
  const header = Buffer.alloc(block);
  const [prefix, last] = split(name);
  header.write(last, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function split(name: string): [prefix: string, last: string] {
  if (Buffer.byteLength(name) <= nameBytes) return ['', name];
  const at = name.lastIndexOf('/', prefixBytes);
  const parts: [string, string] = [name.slice(0, Math.max(0, at)), name.slice(at + 1)];
  if (at > 0 && Buffer.byteLength(parts[0]) <= prefixBytes && Buffer.byteLength(parts[1]) <= nameBytes)
    return parts;
  throw new AssayError('output_unwritable', `${name} is too long a name for a tar archive`, { path: name });
}
