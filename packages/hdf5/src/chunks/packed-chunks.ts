import type { FileBytes } from '../file-bytes.ts';
import type { ChunkTable } from './chunk-table.ts';

/** Neighbours that lie close together are read at once, which counts double where each read is a request. */
const mostBytes = 4 * 1024 * 1024;
const mostGap = 16 * 1024;

/** The stored bytes of chunks that are wanted one after the other. */
export class PackedChunks {
  readonly #bytes: FileBytes;
  readonly #table: ChunkTable;
  readonly #end: number;
  #from = 0;
  #window = new Uint8Array(0);

  /** `end`: the first chunk that will not be asked for. */
  constructor(bytes: FileBytes, table: ChunkTable, end: number) {
    this.#bytes = bytes;
    this.#table = table;
    this.#end = end;
  }

  /** One chunk; good until the next is asked for. Whoever asks knows that it lies within the file. */
  async read(entry: number): Promise<Uint8Array> {
    const { address, bytes } = this.#table;
    const start = address[entry];
    const isThere = start >= this.#from && start + bytes[entry] <= this.#from + this.#window.length;
    if (!isThere) await this.#fill(entry);
    const offset = start - this.#from;
    return this.#window.subarray(offset, offset + bytes[entry]);
  }

  async #fill(entry: number): Promise<void> {
    const { address, bytes } = this.#table;
    const start = address[entry];
    const most = Math.min(start + mostBytes, this.#bytes.size - this.#bytes.base);
    let to = start + bytes[entry];
    for (let next = entry + 1; next < this.#end; next++) {
      const from = address[next];
      const isNear = from >= start && from - to <= mostGap && from + bytes[next] <= most;
      if (!isNear) break;
      to = Math.max(to, from + bytes[next]);
    }
    const window = new Uint8Array(to - start);
    await this.#bytes.fill(window, start);
    this.#from = start;
    this.#window = window;
  }
}
