/**
 * The k-th smallest (from 0) of `values[0..count)`, which is reordered. Linear time on average (Hoare's selection,
 * pivot the median of three), always the same answer for the same numbers. NaN must not be among them.
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

/** Median of `values[0..count)`, which is reordered; 0 when there are none. */
export function medianInPlace(values: Float64Array, count: number): number {
  return count === 0 ? 0 : selectInPlace(values, count, count >>> 1);
}

function medianOfThree(a: number, b: number, c: number): number {
  return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
}
