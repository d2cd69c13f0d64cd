/** More than this many numbers are thinned evenly before they are ranked: a quantile of 2,048 is exact to a per cent. */
const mostRanked = 2048;
const ranked = new Float64Array(mostRanked);

/**
 * Quantiles of `values[from..to)` (each `share` 0 to 1, ascending), the upper of two neighbours, without sorting; NaN
 * must not be among them. Zeros where there is nothing. `of` maps each number first.
 */
export function quantiles(
  values: Float64Array,
  [from, to]: readonly [number, number],
  shares: readonly number[],
  of?: (value: number) => number,
): number[] {
  const stride = Math.max(1, Math.ceil((to - from) / mostRanked));
  let count = 0;
  for (let i = from; i < to; i += stride) ranked[count++] = of === undefined ? values[i] : of(values[i]);
  if (count === 0) return shares.map(() => 0);
  let low = 0;
  return shares.map((share) => {
    const k = Math.min(count - 1, Math.floor(share * count));
    if (k - low < nearEnd) return outermost(low, count, k - low, 1);
    if (count - 1 - k < nearEnd) return outermost(low, count, count - 1 - k, -1);
    const value = select(low, count - 1, k);
    low = k;
    return value;
  });
}

/** Up to so many places from an end, one look at each number is enough. */
const nearEnd = 8;
const outer = new Float64Array(nearEnd);

/** The smallest but `inner` (`sign` 1), or the largest but `inner` (−1), of what lies between two places. */
function outermost(from: number, to: number, inner: number, sign: 1 | -1): number {
  outer.fill(Infinity);
  let limit = Infinity;
  for (let i = from; i < to; i++) {
    const value = sign * ranked[i];
    if (value >= limit) continue;
    let at = inner;
    for (; at > 0 && outer[at - 1] > value; at--) outer[at] = outer[at - 1];
    outer[at] = value;
    limit = outer[inner];
  }
  return sign * limit;
}

/** The k-th smallest of what lies between two places, by Hoare's selection; everything before k is then no larger. */
function select(from: number, to: number, k: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const pivot = ranked[(low + high) >>> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (ranked[i] < pivot) i++;
      while (ranked[j] > pivot) j--;
      if (i <= j) {
        const swap = ranked[i];
        ranked[i++] = ranked[j];
        ranked[j--] = swap;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return ranked[k];
}
