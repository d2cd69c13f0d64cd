import type { SignalTable } from './signal-table.ts';

/** Rows of a table that lie in the window and are not decoded yet. */
export class RowBatch {
  count = 0;
  #starts = new Int32Array(64);

  /** Where in the window the next row starts. */
  push(start: number): void {
    if (this.count === this.#starts.length) {
      const larger = new Int32Array(this.count * 4);
      larger.set(this.#starts);
      this.#starts = larger;
    }
    this.#starts[this.count++] = start;
  }

  /** Hands the rows to their table; the bytes taken by them there. */
  flush(view: DataView, table: SignalTable): number {
    const { count } = this;
    table.add({ view, starts: this.#starts, count });
    this.count = 0;
    return count * table.rowBytes;
  }
}
