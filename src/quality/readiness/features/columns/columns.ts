import type { Series } from '#core/episode';

/**
 * The columns of a series as doubles, one after the other: what walks down a dimension finds it in one piece and sees
 * one kind of array whatever the recording holds. The copies of the last few series are kept, since several measures
 * walk the same columns; ask again instead of holding on to one.
 */
export interface Columns {
  readonly buffer: Float64Array;
  readonly samples: number;
  /** Where dimension `d` begins in the buffer; `samples` values follow. Valid until the next call. */
  at(d: number): number;
}

/** Larger series are copied one column at a time, so that memory stays at one column. */
const mostCopied = 1 << 20;
const slotCount = 3;
const slots: ColumnCopy[] = [];
let turn = 0;

class ColumnCopy implements Columns {
  buffer = new Float64Array(4096);
  samples = 0;
  series: Series | null = null;
  #whole = true;
  #dimension = -1;

  fill(series: Series): void {
    this.series = series;
    this.samples = samplesOf(series);
    this.#whole = series.values.length <= mostCopied;
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

  /** Row by row, as the recording lies in memory. */
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

export function samplesOf(series: Series): number {
  return series.dims === 0 ? 0 : Math.floor(series.values.length / series.dims);
}

export function columnsOf(series: Series): Columns {
  for (const slot of slots) if (slot.series === series) return slot;
  if (slots.length < slotCount) slots.push(new ColumnCopy());
  turn = (turn + 1) % slots.length;
  slots[turn].fill(series);
  return slots[turn];
}
