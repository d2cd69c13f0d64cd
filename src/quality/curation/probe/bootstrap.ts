import { seededRandom, significant } from '#core';

const draws = 1000;
const outside = 0.025;

/** Sums and numbers of rows, by recording; recordings without rows are passed over. */
export interface Sums {
  readonly sums: Float64Array;
  readonly rows: Int32Array;
}

export interface Estimate {
  readonly value: number;
  /** 95 %. */
  readonly interval: readonly [number, number];
}

/**
 * The mean over rows with the interval of a percentile bootstrap over recordings (Efron 1979): rows of one recording
 * are alike, so that it is recordings which are drawn. One seed draws the same recordings whatever was measured of them.
 */
export function bootstrap({ sums, rows }: Sums, seed: number): Estimate {
  const places = [...rows.keys()].filter((place) => rows[place] > 0);
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: draws }, () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < places.length; i++) {
      const place = places[random.integer(0, places.length - 1)];
      sum += sums[place];
      count += rows[place];
    }
    return sum / count;
  }).sort();
  const at = (share: number): number => significant(means[Math.round(share * (draws - 1))]);
  const total = sums.reduce((sum, value) => sum + value, 0);
  return {
    value: significant(total / rows.reduce((sum, value) => sum + value, 0)),
    interval: [at(outside), at(1 - outside)],
  };
}
