interface Hashed {
  readonly hash?: readonly [high: number, low: number, luma_mean: number];
}

/** Bits of 64 that may differ. Four bands of 16 bits: with three bits wrong one band is still equal. */
const mostBits = 3;
const brightness = 10;
/** A hash with so few gradients belongs to a plain picture and says nothing. */
const fewestGradients = 6;
const longestBucket = 256;

/** For every picture whose difference hash is at most `mostBits` from an earlier one's: the first such, and the bits. */
export function findNearPictures(rows: readonly Hashed[]): Map<number, { of: number; distance: number }> {
  const found = new Map<number, { of: number; distance: number }>();
  const buckets = new Map<number, number[]>();
  rows.forEach(({ hash }, i) => {
    if (hash === undefined) return;
    const gradients = ones(hash[0]) + ones(hash[1]);
    if (gradients < fewestGradients || gradients > 64 - fewestGradients) return;
    for (const key of bandsOf(hash[0], hash[1])) {
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        buckets.set(key, [i]);
        continue;
      }
      for (const earlier of bucket) {
        const distance = bitsApart(hash, rows[earlier].hash!);
        const known = found.get(i);
        if (distance <= mostBits && (known === undefined || earlier < known.of))
          found.set(i, { of: earlier, distance });
      }
      if (bucket.length < longestBucket) bucket.push(i);
    }
  });
  return found;
}

function bandsOf(high: number, low: number): number[] {
  return [high >>> 16, 65536 + (high & 0xffff), 131072 + (low >>> 16), 196608 + (low & 0xffff)];
}

function bitsApart(one: readonly [number, number, number], other: readonly [number, number, number]): number {
  if (Math.abs(one[2] - other[2]) > brightness) return 64;
  return ones(one[0] ^ other[0]) + ones(one[1] ^ other[1]);
}

function ones(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
