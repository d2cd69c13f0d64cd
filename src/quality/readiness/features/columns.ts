import type { Series } from '#core/episode';

/**
 * Column-major copy of a series as doubles, so that walking a dimension is sequential and sees one array
 * type. The copies of the last few series are cached; call `getColumns` again instead of keeping one.
 */
export interface Columns {
  readonly buffer: Float64Array;
  readonly samples: number;
  /**
   * Returns the position of dimension `d` in the buffer; `samples` values follow. Valid until the next call.
   */
  at(d: number): number;
}

/**
 * Maximum number of values that are copied at once; larger series are copied one column at a time, to limit
 * memory.
 */
const maxCopiedValues = 1 << 20;
const slotCount = 3;
const slots: ColumnCopy[] = [];
let lastSlot = 0;

class ColumnCopy implements Columns {
  buffer = new Float64Array(4096);
  samples = 0;
  series: Series | null = null;
  #whole = true;
  #dimension = -1;

  fill(series: Series): void {
    this.series = series;
    this.samples = countSamples(series);
    this.#whole = series.values.length <= maxCopiedValues;
    this.#dimension = -1;
    const length = this.#whole ? this.samples * series.dims : this.samples;
    if (this.buffer.length < length) this.buffer = new Float64Array(2 ** Math.ceil(Math.log2(length)));
    if (this.#whole) this.#copyAll(series);
  }

  at(d: number): number {
    if (this.#whole) return d * this.samples;
    if (this.#dimension !== d && this.series !== null) {
      this.#copy(this.series, d, 0);
      this.#dimension = d;
    }
    return 0;
  }

  /** Copies all columns, row by row, as the recording lies in memory. */
  #copyAll({ values, dims }: Series): void {
    const { buffer, samples } = this;
    let from = 0;
    for (let i = 0; i < samples; i++) {
      let to = i;
      for (let d = 0; d < dims; d++) {
        buffer[to] = values[from++];
        to += samples;
      }
    }
  }

  #copy({ values, dims }: Series, d: number, base: number): void {
    const { buffer, samples } = this;
    let from = d;
    for (let i = 0; i < samples; i++) {
      buffer[base + i] = values[from];
      from += dims;
    }
  }
}

/** Returns the number of rows of a series; 0 without dimensions. */
export function countSamples(series: Series): number {
  return series.dims === 0 ? 0 : Math.floor(series.values.length / series.dims);
}

/** Returns the column-major copy of a series, from a cache of three or newly filled; a later call may overwrite it. */
export function getColumns(series: Series): Columns {
  for (const slot of slots) if (slot.series === series) return slot;
  if (slots.length < slotCount) slots.push(new ColumnCopy());
  lastSlot = (lastSlot + 1) % slots.length;
  slots[lastSlot].fill(series);
  return slots[lastSlot];
}
