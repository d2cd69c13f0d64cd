import type { RgbFrame } from '#io/video';
import type { CameraStatistics } from './statistics.ts';

/** Exponent of LeRobot's sample count (`estimate_num_samples`): rows^0.75, from 100 to 10,000. */
const samplingExponent = 0.75;
const minSamples = 100;
const maxSamples = 10_000;
/** Side length in px from which pixels are sampled in steps (`auto_downsample_height_width`). */
const downsampleThreshold_px = 300;
const downsampleTarget_px = 150;

/**
 * Returns the rows whose pictures LeRobot samples (`sample_indices`), ascending and evenly spread: all up to 100 rows,
 * else rows^0.75, but between 100 and 10,000.
 */
export function selectSampleRows(rows: number): number[] {
  const wanted = Math.max(
    Math.min(rows, minSamples),
    Math.min(Math.floor(rows ** samplingExponent), maxSamples),
  );
  const step = wanted > 1 ? (rows - 1) / (wanted - 1) : 0;
  return Array.from({ length: wanted }, (_, i) => (i === wanted - 1 ? rows - 1 : roundHalfToEven(i * step)));
}

/** Rounds half to even, like NumPy. */
function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

/**
 * Computes camera statistics like LeRobot from a sample of pictures (`compute_episode_stats`), with quantiles from a
 * histogram. `std` is exact, as in 0.3.3; 0.4.4 squares bytes with overflow, so that its `std` is far too small. Holds
 * byte counts only.
 */
export class PictureSamples {
  /** Rows whose pictures are sampled. */
  readonly rows: ReadonlySet<number>;
  readonly #counts = [0, 1, 2].map(() => new Float64Array(256));
  #pictures = 0;

  constructor(rows: number) {
    this.rows = new Set(selectSampleRows(rows));
  }

  /** Adds a picture if its row is sampled; others are ignored. */
  offer(row: number, { rgb, width_px, height_px }: RgbFrame): void {
    if (!this.rows.has(row)) return;
    this.#pictures++;
    const longest = Math.max(width_px, height_px);
    const step = longest < downsampleThreshold_px ? 1 : Math.floor(longest / downsampleTarget_px);
    const [red, green, blue] = this.#counts;
    for (let y = 0; y < height_px; y += step)
      for (let x = 0; x < width_px; x += step) {
        const at = (y * width_px + x) * 3;
        red[rgb[at]]++;
        green[rgb[at + 1]]++;
        blue[rgb[at + 2]]++;
      }
  }

  /** Returns the statistics on the scale 0 to 1, one value per channel; at least one picture must have been added. */
  result(): CameraStatistics {
    const nested = (of: (counts: Float64Array) => number) =>
      this.#counts.map((counts) => [[of(counts) / 255]]);
    const level = (share: number) => nested((counts) => computeQuantile(counts, share));
    return {
      min: nested(findMin),
      max: nested(findMax),
      mean: nested(computeMean),
      std: nested(computeStd),
      count: [this.#pictures],
      q01: level(0.01),
      q10: level(0.1),
      q50: level(0.5),
      q90: level(0.9),
      q99: level(0.99),
    };
  }
}

const findMin = (counts: Float64Array) => counts.findIndex((count) => count > 0);
const findMax = (counts: Float64Array) => counts.findLastIndex((count) => count > 0);

function computeMean(counts: Float64Array, of: (value: number) => number = (value) => value): number {
  let [sum, all] = [0, 0];
  counts.forEach((count, value) => {
    sum += count * of(value);
    all += count;
  });
  return sum / all;
}

function computeStd(counts: Float64Array): number {
  const mean = computeMean(counts);
  return Math.sqrt(computeMean(counts, (value) => (value - mean) ** 2));
}

/**
 * Number of bins of the library's histogram (`RunningQuantileStats`), whose range is widened by `histogramMargin` at
 * both ends.
 */
const histogramBins = 5000;
const histogramMargin = 1e-10;

function computeQuantile(counts: Float64Array, share: number): number {
  const low = findMin(counts) - histogramMargin;
  const width = (findMax(counts) + histogramMargin - low) / histogramBins;
  const target = share * counts.reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (let value = findMin(counts); value < counts.length; value++) {
    if (counts[value] === 0) continue;
    if (before + counts[value] >= target) {
      const bin = Math.min(histogramBins - 1, Math.floor((value - low) / width));
      return bin === 0 ? low : low + (bin + (target - before) / counts[value]) * width;
    }
    before += counts[value];
  }
  return low + histogramBins * width;
}
