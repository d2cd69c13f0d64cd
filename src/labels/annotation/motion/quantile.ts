/** Larger inputs are thinned evenly to this many values; a quantile of 2048 values is accurate to about 1 %. */
const maxRanked = 2048;
const rankBuffer = new Float64Array(maxRanked);

/**
 * Returns approximate quantiles (large ranges are sampled) of `values[from..to)` after `map`, at ascending `shares`
 * from 0 to 1; zeros for an empty range. Of two neighbours it takes the upper. Values must not be NaN.
 */
export function quantiles(
  values: Float64Array,
  [from, to]: readonly [number, number],
  shares: readonly number[],
  map?: (value: number) => number,
): number[] {
  const stride = Math.max(1, Math.ceil((to - from) / maxRanked));
  let count = 0;
  for (let i = from; i < to; i += stride)
    rankBuffer[count++] = map === undefined ? values[i] : map(values[i]);
  if (count === 0) return shares.map(() => 0);
  let low = 0;
  return shares.map((share) => {
    const k = Math.min(count - 1, Math.floor(share * count));
    if (k - low < maxEndRank) return nthFromEnd(low, count, k - low, 1);
    if (count - 1 - k < maxEndRank) return nthFromEnd(low, count, count - 1 - k, -1);
    const value = quickSelect(low, count - 1, k);
    low = k;
    return value;
  });
}

/** Ranks this close to an end are found in a single pass. */
const maxEndRank = 8;
const endBuffer = new Float64Array(maxEndRank);

/** Returns the value at rank `inner` from the bottom (`sign` 1) or the top (−1) of a range. */
function nthFromEnd(from: number, to: number, inner: number, sign: 1 | -1): number {
  endBuffer.fill(Infinity);
  let limit = Infinity;
  for (let i = from; i < to; i++) {
    const value = sign * rankBuffer[i];
    if (value >= limit) continue;
    let at = inner;
    for (; at > 0 && endBuffer[at - 1] > value; at--) endBuffer[at] = endBuffer[at - 1];
    endBuffer[at] = value;
    limit = endBuffer[inner];
  }
  return sign * limit;
}

/** Returns the k-th smallest value by Hoare's selection; afterwards all values before k are no larger. */
function quickSelect(from: number, to: number, k: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const pivot = rankBuffer[(low + high) >>> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (rankBuffer[i] < pivot) i++;
      while (rankBuffer[j] > pivot) j--;
      if (i <= j) {
        const swap = rankBuffer[i];
        rankBuffer[i++] = rankBuffer[j];
        rankBuffer[j--] = swap;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return rankBuffer[k];
}
