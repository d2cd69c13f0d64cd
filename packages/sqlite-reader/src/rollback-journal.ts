import { maxOverlayPages, type OverlayResult, readFully } from './overlay.ts';
import type { ByteRanges } from './source.ts';

const headBytes = 28;
const magic = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/**
 * Reads the rollback journal that a crashed writer left beside a database
 * (https://www.sqlite.org/fileformat2.html#the_rollback_journal): the pages as they were before its last transaction.
 */
export async function readRollbackJournal(
  file: ByteRanges,
  bytes: number,
  page_bytes: number,
): Promise<OverlayResult> {
  const journal = new Journal(file, bytes, page_bytes);
  const tail = new Uint8Array(8);
  if (bytes >= 8) await readFully(file, tail, bytes - 8);
  if (isMagic(tail, 0)) return nothing('it belongs to a transaction across several databases');
  return journal.read();
}

interface Section {
  readonly records: number;
  readonly nonce: number;
  readonly pages: number;
  readonly sector_bytes: number;
}

class Journal {
  readonly #file: ByteRanges;
  readonly #bytes: number;
  readonly #pageBytes: number;
  readonly #places = new Map<number, number>();

  constructor(file: ByteRanges, bytes: number, page_bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
    this.#pageBytes = page_bytes;
  }

  /** Sections start at multiples of the sector; the first one says how many pages the database had. */
  async read(): Promise<OverlayResult> {
    const first = await this.#section(0);
    // A journal that is done with keeps its bytes and loses its header.
    if (first === null) return { overlay: null, problem: null };
    if (typeof first === 'string') return nothing(first);
    let section: Section | string | null = first;
    let position = 0;
    while (section !== null && typeof section !== 'string') {
      position += section.sector_bytes;
      const end = await this.#records(section, position);
      if (end === null) break;
      position = Math.ceil(end / section.sector_bytes) * section.sector_bytes;
      section = await this.#section(position);
    }
    if (this.#places.size > maxOverlayPages) return nothing(`it has more than ${maxOverlayPages} pages`);
    return { overlay: { places: this.#places, pages: first.pages }, problem: null };
  }

  /** null: no section starts here. A text: one does, and cannot be. */
  async #section(position: number): Promise<Section | string | null> {
    const head = new Uint8Array(headBytes);
    if ((await readFully(this.#file, head, position)) < headBytes || !isMagic(head, 0)) return null;
    const view = new DataView(head.buffer);
    const [records, nonce, pages, sector_bytes, page_bytes] = [8, 12, 16, 20, 24].map((at) =>
      view.getUint32(at),
    );
    if (page_bytes !== this.#pageBytes) {
      return `page size of ${page_bytes} bytes instead of ${this.#pageBytes}`;
    }
    if (sector_bytes < 32 || sector_bytes > 65536 || (sector_bytes & (sector_bytes - 1)) !== 0) {
      return `invalid sector size of ${sector_bytes} bytes`;
    }
    return { records, nonce, pages, sector_bytes };
  }

  /** Where the records of a section end; null: the first that does not hold ends it all. */
  async #records({ records, nonce }: Section, from: number): Promise<number | null> {
    const record = new Uint8Array(this.#pageBytes + 8);
    const view = new DataView(record.buffer);
    const fitting = Math.floor((this.#bytes - from) / record.length);
    // 0xffffffff: the writer did not keep count.
    const count = records === 0xffffffff ? fitting : records;
    for (let i = 0; i < count; i++) {
      const position = from + i * record.length;
      if (i >= fitting || (await readFully(this.#file, record, position)) < record.length) return null;
      const page = view.getUint32(0);
      if (page === 0 || view.getUint32(record.length - 4) !== checksum(record, this.#pageBytes, nonce))
        return null;
      this.#places.set(page, position + 4);
      if (this.#places.size > maxOverlayPages) return null;
    }
    return from + count * record.length;
  }
}

/** Of every 200th byte of the page that starts at byte 4, counted from its end. */
function checksum(record: Uint8Array, page_bytes: number, nonce: number): number {
  let sum = nonce;
  for (let at = page_bytes - 200; at > 0; at -= 200) sum += record[4 + at];
  return sum >>> 0;
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return magic.every((byte, i) => bytes[at + i] === byte);
}

const nothing = (problem: string): OverlayResult => ({ overlay: null, problem });
