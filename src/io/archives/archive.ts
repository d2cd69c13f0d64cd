/** A file as an archive says it: nothing of when or by whom, so that the same files make the same archive. */
export interface ArchivedFile {
  readonly path: string;
  readonly bytes: number;
  readonly crc32: number;
}

/** A range of an archive: bytes that are made when they are wanted, or all of a file. */
export type ArchivePart =
  | { readonly length: number; readonly make: () => Uint8Array }
  | { readonly length: number; readonly file: ArchivedFile };

/** An archive that nobody has written: what lies where in it. */
export class Archive {
  readonly bytes: number;
  readonly #parts: readonly ArchivePart[];
  /** Where each part begins. */
  readonly #starts: Float64Array;

  constructor(parts: readonly ArchivePart[]) {
    this.#parts = parts;
    this.#starts = new Float64Array(parts.length);
    let at = 0;
    for (const [place, { length }] of parts.entries()) {
      this.#starts[place] = at;
      at += length;
    }
    this.bytes = at;
  }

  /** What lies in the bytes from the first up to the second, which is not among them, in order. */
  *ranges(from: number, until: number): Generator<Uint8Array | FileRange> {
    for (let place = this.#placeOf(from); place < this.#parts.length; place++) {
      const start = this.#starts[place];
      if (start >= until) return;
      const part = this.#parts[place];
      const own = { from: Math.max(0, from - start), until: Math.min(part.length, until - start) };
      if (own.until <= own.from) continue;
      if ('make' in part) yield part.make().subarray(own.from, own.until);
      else yield { path: part.file.path, ...own };
    }
  }

  /** The last part that begins at or before a byte. */
  #placeOf(byte: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#starts[middle] <= byte) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Bytes of a file. */
export interface FileRange {
  readonly path: string;
  readonly from: number;
  readonly until: number;
}
