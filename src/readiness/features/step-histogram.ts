/**
 * Quantiles of non-negative numbers by counting, so that no array is sorted: one bucket an eighth of an octave wide
 * (9 %), read straight off a float's exponent and the top three bits of its mantissa. Values under 1e-38 count as zero.
 */
export const bucketCount = 2048;
const shift = 20;

const asFloat = new Float32Array(1);
const asBits = new Uint32Array(asFloat.buffer);

export function bucketOf(value: number): number {
  asFloat[0] = value;
  return asBits[0] >>> shift;
}

/** The middle of a bucket. */
function middleOf(bucket: number): number {
  asBits[0] = (bucket << shift) | (1 << (shift - 1));
  return asFloat[0];
}

/**
 * The values below which `quantiles` (ascending, of 0..1) of the counted numbers lie; zeros where nothing was counted.
 * Buckets `low..high` of `counts` are read and cleared.
 */
export function takeQuantiles(
  counts: Int32Array,
  low: number,
  high: number,
  quantiles: readonly number[],
  out: Float64Array,
): void {
  let total = 0;
  for (let b = low; b <= high; b++) total += counts[b];
  out.fill(0);
  let seen = 0;
  let next = 0;
  for (let b = low; b <= high; b++) {
    const count = counts[b];
    if (count === 0) continue;
    counts[b] = 0;
    seen += count;
    while (next < quantiles.length && seen >= quantiles[next] * total) {
      out[next++] = middleOf(b);
    }
  }
}
