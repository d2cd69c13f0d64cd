import { scratch } from '../features/scratch.ts';
import { selectInPlace } from '../features/select.ts';

/** Median of the values; NaN for none. NaN among them counts as infinite. The input is not changed. */
export function medianOf(values: ArrayLike<number>): number {
  const n = values.length;
  if (n === 0) return Number.NaN;
  const copy = scratch('median', n);
  for (let i = 0; i < n; i++) {
    const value = values[i];
    copy[i] = Number.isNaN(value) ? Infinity : value;
  }
  const upper = selectInPlace(copy, n, n >> 1);
  if (n % 2 === 1) return upper;
  // Selection leaves the lower half before it, in any order.
  let lower = copy[0];
  for (let i = 1; i < n >> 1; i++) if (copy[i] > lower) lower = copy[i];
  return (lower + upper) / 2;
}

/** Standard deviation as the median absolute deviation gives it (times 1.4826): outliers do not widen it. */
export function spreadOf(values: ArrayLike<number>, median = medianOf(values)): number {
  const deviations = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) deviations[i] = Math.abs(values[i] - median);
  return 1.4826 * medianOf(deviations);
}

/** Rows of equal length one after another, so that what is walked column by column lies together. */
export interface Table {
  readonly values: Float64Array;
  readonly rows: number;
  readonly width: number;
}

/** Rows that are all as long as the first. */
export function tableOf(rows: readonly (readonly number[])[]): Table {
  const width = rows[0]?.length ?? 0;
  const values = new Float64Array(rows.length * width);
  for (let i = 0; i < rows.length; i++) layRow(rows[i], values, i * width, width);
  return { values, rows: rows.length, width };
}

/** A function of its own, since V8 compiles what is called often long before a loop in what is called once. */
function layRow(row: readonly number[], values: Float64Array, at: number, width: number): void {
  for (let c = 0; c < width; c++) values[at + c] = row[c];
}

/** Column `index` of a table. */
export function columnOf({ values, rows, width }: Table, index: number): Float64Array {
  const column = new Float64Array(rows);
  for (let i = 0, at = index; i < rows; i++, at += width) column[i] = values[at];
  return column;
}
