import { significant } from '#core';

/**
 * Returns the median, the mean of the two middle values of an even count; NaN without values, and NaN values count as
 * infinite. Does not modify the input.
 */
export function computeMedian(values: ArrayLike<number>): number {
  const n = values.length;
  if (n === 0) return Number.NaN;
  const copy = scratchBuffer('median', n);
  for (let i = 0; i < n; i++) {
    const value = values[i];
    copy[i] = Number.isNaN(value) ? Infinity : value;
  }
  const upper = selectInPlace(copy, n, n >> 1);
  if (n % 2 === 1) return upper;
  // After selection the lower half precedes the upper median, unordered.
  let lower = copy[0];
  for (let i = 1; i < n >> 1; i++) if (copy[i] > lower) lower = copy[i];
  return (lower + upper) / 2;
}

/**
 * Estimates the standard deviation as 1.4826 times the median absolute deviation, which outliers do not
 * widen.
 */
export function computeSpread(values: ArrayLike<number>, median = computeMedian(values)): number {
  const deviations = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) deviations[i] = Math.abs(values[i] - median);
  return 1.4826 * computeMedian(deviations);
}

/** Row-major table of equally long rows. */
export interface Table {
  readonly values: Float64Array;
  readonly rows: number;
  readonly width: number;
}

/** Creates a table from rows, which must all be as long as the first. */
export function createTable(rows: readonly (readonly number[])[]): Table {
  const width = rows[0]?.length ?? 0;
  const values = new Float64Array(rows.length * width);
  for (let i = 0; i < rows.length; i++) copyRow(rows[i], values, i * width, width);
  return { values, rows: rows.length, width };
}

/**
 * Copies one row into the table. Separate from the loop, because V8 optimizes functions that are called often
 * sooner than long loops.
 */
function copyRow(row: readonly number[], values: Float64Array, at: number, width: number): void {
  for (let c = 0; c < width; c++) values[at + c] = row[c];
}

/** Returns a copy of column `index` of a table. */
export function extractColumn({ values, rows, width }: Table, index: number): Float64Array {
  const column = new Float64Array(rows);
  for (let i = 0, at = index; i < rows; i++, at += width) column[i] = values[at];
  return column;
}

/**
 * Rounds to `digits` significant digits for receipts, which contain no NaN and no infinities; values beyond ±1e300
 * become ±1e300, NaN becomes 0.
 */
export function roundFinite(value: number, digits = 6): number {
  if (value >= -1e300 && value <= 1e300) return significant(value, digits) + 0;
  return value > 0 ? 1e300 : value < 0 ? -1e300 : 0;
}

/**
 * Scores a value linearly from 1 at or before `good` to 0 at or beyond `bad`; NaN scores 0. `good` may be larger than
 * `bad` if more is better.
 */
export function ramp(value: number, good: number, bad: number): number {
  const score = (bad - value) / (bad - good);
  return score >= 1 ? 1 : score > 0 ? score : 0;
}

/**
 * Returns the at most `maxCount` dimensions with the largest scores above 0, best first; among equals the lower index
 * first.
 */
export function selectStrongest(
  dims: number,
  maxCount: number,
  computeScore: (dimension: number) => number,
): number[] {
  const found: number[] = [];
  const scores: number[] = [];
  for (let d = 0; d < dims; d++) {
    const score = computeScore(d);
    if (!(score > 0)) continue;
    let at = found.length;
    while (at > 0 && scores[at - 1] < score) at--;
    if (at >= maxCount) continue;
    for (let k = Math.min(found.length, maxCount - 1); k > at; k--) {
      found[k] = found[k - 1];
      scores[k] = scores[k - 1];
    }
    found[at] = d;
    scores[at] = score;
  }
  return found;
}

/**
 * Reusable working memory by slot, so that measuring an episode allocates almost nothing. A thread measures
 * one thing at a time, so a slot is free again as soon as the function that requested it returns.
 */
const slots = new Map<string, Float64Array>();

/**
 * Returns a shared buffer with at least `length` numbers and undefined contents; the next call for the same slot
 * returns the same memory.
 */
export function scratchBuffer(slot: string, length: number): Float64Array {
  const existing = slots.get(slot);
  if (existing !== undefined && existing.length >= length) return existing;
  const grown = new Float64Array(Math.max(1024, 2 ** Math.ceil(Math.log2(length))));
  slots.set(slot, grown);
  return grown;
}

/**
 * Returns the k-th smallest (from 0) of `values[0..count)` and reorders them; NaN is not allowed. Average linear time
 * (Hoare's selection, pivot the median of three); deterministic.
 */
export function selectInPlace(values: Float64Array, count: number, k: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = medianOfThree(values[low], values[(low + high) >>> 1], values[high]);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i <= j) {
        const swap = values[i];
        values[i++] = values[j];
        values[j--] = swap;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else return values[k];
  }
  return values[k];
}

/** Returns the median of `values[0..count)` (the upper one of an even count; 0 if there are none) and reorders them. */
export function medianInPlace(values: Float64Array, count: number): number {
  return count === 0 ? 0 : selectInPlace(values, count, count >>> 1);
}

function medianOfThree(a: number, b: number, c: number): number {
  return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
}
