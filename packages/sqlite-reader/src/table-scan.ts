import type { PageStore } from './page-store.ts';
import type { Problems } from './problems.ts';
import { RecordView } from './record.ts';

const interiorPage = 5;
const leafPage = 13;
/** SQLite itself goes no deeper than 20. */
const maxDepth = 24;
/** A row larger than this is not put together: memory has to follow the message. */
const maxRowBytes = 256 * 1024 * 1024;

interface Branch {
  readonly children: Uint32Array;
  next: number;
}

/** A row that goes on over pages of its own. */
interface Chain {
  readonly bytes: number;
  filled: number;
  page: number;
}

/**
 * Walks the rows of one table in the order of their numbers, page by page. A page that is damaged, missing or met
 * again is left out and reported; the walk goes on beside it, and every page is entered once at most.
 *
 * `while (await scan.more()) while (scan.next()) …`: rows come without waiting as long as their pages are in memory.
 */
export class TableScan {
  readonly row: RecordView;
  /** The number of the row last taken; the nearest double. */
  rowid = 0;
  rows = 0;
  readonly #store: PageStore;
  readonly #usable: number;
  readonly #problems: Problems;
  readonly #visited: Uint8Array;
  readonly #branches: Branch[] = [];
  #root: number;
  #wanted = 0;
  #loaded = 0;
  #ended = false;
  #chain: Chain | null = null;
  #scratch = new Uint8Array(0);
  #scratchView = new DataView(this.#scratch.buffer);
  // The leaf that rows are taken from.
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #leaf = 0;
  #leafPage = 0;
  #cell = 0;
  #cells = 0;
  #pointers = 0;
  #room = 0;

  /** `columns`: where the wanted values stand in a row. */
  constructor(
    store: PageStore,
    usable_bytes: number,
    table: { readonly root: number; readonly columns: readonly number[]; readonly problems: Problems },
  ) {
    this.#store = store;
    this.#usable = usable_bytes;
    this.#problems = table.problems;
    this.#visited = new Uint8Array((store.pages >>> 3) + 1);
    this.#root = table.root;
    this.row = new RecordView(table.columns);
  }

  /** Where the row last taken lies in its file: the byte its page starts at. */
  get place(): number {
    return this.#store.placeOf(this.#leafPage);
  }

  /** Has the next page in memory. False: there are no more rows. */
  async more(): Promise<boolean> {
    if (this.#wanted > 0) {
      this.#loaded = (await this.#store.load(this.#wanted)) ? 0 : this.#wanted;
      this.#wanted = 0;
    }
    return !this.#ended;
  }

  /** Takes the next row into `row`. False: ask `more` first. */
  next(): boolean {
    for (;;) {
      if (this.#chain !== null) {
        const whole = this.#follow(this.#chain);
        if (whole === null) return false;
        if (whole) return true;
      } else if (this.#cell < this.#cells) {
        if (this.#takeCell()) return true;
      } else if (!this.#nextPage()) return false;
    }
  }

  /** Enters the page that comes next. False: it has to be loaded, or there is none. */
  #nextPage(): boolean {
    const page = this.#pageAhead();
    if (page === 0) {
      this.#ended = true;
      return false;
    }
    const found = this.#isThere(page, 'a page of the table');
    if (found === null) return false;
    this.#advance();
    if (found && this.#visit(page)) this.#enter(page);
    return true;
  }

  #pageAhead(): number {
    if (this.#root > 0) return this.#root;
    for (;;) {
      const branch = this.#branches.at(-1);
      if (branch === undefined) return 0;
      if (branch.next < branch.children.length) return branch.children[branch.next] || -1;
      this.#branches.pop();
    }
  }

  #advance(): void {
    if (this.#root > 0) this.#root = 0;
    else {
      const branch = this.#branches.at(-1);
      if (branch !== undefined) branch.next++;
    }
  }

  /** True: the page is in memory. False: there is none such, which is reported. Null: it has to be loaded. */
  #isThere(page: number, what: string): boolean | null {
    if (page < 1 || page > this.#store.pages || page === this.#loaded) {
      this.#loaded = 0;
      // That the file was cut has been said.
      if (page > this.#store.pages && page <= this.#store.declared_pages) return false;
      const number = Math.max(0, page);
      this.#damaged(`page number ${number} of ${what} is out of range (${this.#store.pages} pages)`);
      return false;
    }
    if (this.#store.find(page)) return true;
    this.#wanted = page;
    return null;
  }

  #visit(page: number): boolean {
    const bit = 1 << (page & 7);
    if ((this.#visited[page >>> 3] & bit) === 0) {
      this.#visited[page >>> 3] |= bit;
      return true;
    }
    this.#damaged(`page ${page} occurs twice in the table`);
    return false;
  }

  #enter(page: number): void {
    const { bytes, view, offset } = this.#store;
    const head = page === 1 ? offset + 100 : offset;
    const kind = bytes[head];
    const cells = view.getUint16(head + 3);
    const pointers = head + (kind === interiorPage ? 12 : 8);
    if ((kind !== interiorPage && kind !== leafPage) || pointers + cells * 2 > offset + this.#usable) {
      this.#damaged(`page ${page} is not a table page`);
      return;
    }
    if (kind === interiorPage) {
      this.#branch(page, cells, pointers);
      return;
    }
    this.#store.pin();
    this.#bytes = bytes;
    this.#view = view;
    this.#leaf = offset;
    this.#leafPage = page;
    this.#cell = 0;
    this.#cells = cells;
    this.#pointers = pointers;
    // Cells that overlap would let one page stand for any number of rows.
    this.#room = this.#usable;
  }

  #branch(page: number, cells: number, pointers: number): void {
    const { view, offset } = this.#store;
    if (this.#branches.length >= maxDepth) {
      this.#damaged(`page ${page} is deeper than ${maxDepth} levels`);
      return;
    }
    const children = new Uint32Array(cells + 1);
    for (let i = 0; i < cells; i++) {
      const at = view.getUint16(pointers + i * 2);
      children[i] = at + 4 > this.#usable ? 0 : view.getUint32(offset + at);
    }
    children[cells] = view.getUint32(pointers - 4);
    this.#branches.push({ children, next: 0 });
  }

  /** True: the row lies in its page as a whole and is taken. */
  #takeCell(): boolean {
    const bytes = this.#bytes;
    const cell = this.#cell++;
    const end = this.#leaf + this.#usable;
    let at = this.#leaf + this.#view.getUint16(this.#pointers + cell * 2);
    const from = at;
    if (at < this.#pointers || at + 4 > end) return this.#badCell(cell);
    let size = 0;
    let byte = 128;
    for (let i = 0; byte >= 128 && i < 8; i++) {
      byte = bytes[at++];
      size = size * 128 + (byte & 127);
    }
    let rowid = 0;
    byte = 128;
    for (let i = 0; byte >= 128 && i < 9; i++) {
      byte = bytes[at++];
      rowid = i === 8 ? rowid * 256 + byte : rowid * 128 + (byte & 127);
    }
    this.rowid = rowid;
    const local = this.#localBytes(size);
    this.#room -= at - from + local;
    if (this.#room < 0 || at + local + (local < size ? 4 : 0) > end) return this.#badCell(cell);
    if (local < size) return this.#begin(at, local, size);
    if (!this.row.take(bytes, this.#view, at, at + size)) return this.#badCell(cell);
    this.rows++;
    return true;
  }

  /** How much of a row lies in its page; the rest is on overflow pages. */
  #localBytes(size: number): number {
    const usable = this.#usable;
    const most = usable - 35;
    if (size <= most) return size;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((size - least) % (usable - 4));
    return fitting <= most ? fitting : least;
  }

  #begin(at: number, local: number, size: number): boolean {
    if (size > this.#store.pages * this.#usable || size > maxRowBytes) {
      this.#damaged(`invalid size of ${size} bytes for a row of page ${this.#leafPage}`);
      return false;
    }
    if (this.#scratch.length < size) {
      this.#scratch = new Uint8Array(Math.min(maxRowBytes, Math.max(size, this.#scratch.length * 2)));
      this.#scratchView = new DataView(this.#scratch.buffer);
    }
    this.#scratch.set(this.#bytes.subarray(at, at + local));
    this.#chain = { bytes: size, filled: local, page: this.#view.getUint32(at + local) };
    return false;
  }

  /** True: the row is whole and taken. False: it is lost. Null: its next page has to be loaded. */
  #follow(chain: Chain): boolean | null {
    while (chain.filled < chain.bytes) {
      const found = this.#isThere(chain.page, 'the continuation of a row');
      if (found === null) return null;
      if (!found || !this.#visit(chain.page)) {
        this.#chain = null;
        return false;
      }
      const { bytes, view, offset } = this.#store;
      const length = Math.min(chain.bytes - chain.filled, this.#usable - 4);
      this.#scratch.set(bytes.subarray(offset + 4, offset + 4 + length), chain.filled);
      chain.filled += length;
      chain.page = view.getUint32(offset);
    }
    this.#chain = null;
    if (!this.row.take(this.#scratch, this.#scratchView, 0, chain.bytes))
      return this.#badCell(this.#cell - 1);
    this.rows++;
    return true;
  }

  #badCell(cell: number): false {
    this.#damaged(`row ${cell} of page ${this.#leafPage} is corrupt`);
    return false;
  }

  #damaged(what: string): void {
    this.#problems.report(
      'page_damaged',
      'error',
      `${what}; its rows were skipped`,
      'copy or download the file again, or repair it (sqlite3 FILE .recover)',
    );
  }
}
