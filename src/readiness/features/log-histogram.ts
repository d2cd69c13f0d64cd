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
 * The value below which a share `quantile` of the counted numbers lies; 0 where nothing was counted. Buckets
 * `low..high` of `counts` are read and cleared.
 */
export function takeQuantile(counts: Int32Array, low: number, high: number, quantile: number): number {
  let total = 0;
  for (let b = low; b <= high; b++) total += counts[b];
  const allowed = total - Math.ceil(quantile * total);
  let above = 0;
  let bucket = -1;
  for (let b = high; b >= low; b--) {
    above += counts[b];
    counts[b] = 0;
    if (bucket < 0 && above > allowed) bucket = b;
  }
  return bucket < 0 ? 0 : middleOf(bucket);
}
