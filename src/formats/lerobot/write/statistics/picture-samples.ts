import type { RgbFrame } from '#io/video';
import type { CameraStatistics } from './statistics.ts';

/** How many pictures LeRobot looks at (`estimate_num_samples`): rows to the power of 0.75, 100 to 10,000 of them. */
const power = 0.75;
const fewest = 100;
const most = 10_000;
/** Pictures with a side from this on are looked at in steps (`auto_downsample_height_width`). */
const threshold_px = 300;
const target_px = 150;

/** Rows whose pictures LeRobot looks at (`sample_indices`), spread evenly over an episode. */
export function sampledRows(rows: number): number[] {
  const wanted = Math.max(Math.min(rows, fewest), Math.min(Math.floor(rows ** power), most));
  const step = wanted > 1 ? (rows - 1) / (wanted - 1) : 0;
  return Array.from({ length: wanted }, (_, i) => (i === wanted - 1 ? rows - 1 : toEven(i * step)));
}

/** As NumPy rounds: a half goes to the even number. */
function toEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

/**
 * Statistics of a camera as LeRobot computes them from a sample of its pictures (`compute_episode_stats`), quantiles
 * read off a histogram. `std` is the true one, as in 0.3.3: 0.4.4 squares bytes as bytes, which run over, so that its
 * `std` is far too small. Holds counts of bytes, whatever the number of pictures.
 */
export class PictureSamples {
  /** Rows whose pictures it looks at. */
  readonly rows: ReadonlySet<number>;
  readonly #counts = [0, 1, 2].map(() => new Float64Array(256));
  #pictures = 0;

  constructor(rows: number) {
    this.rows = new Set(sampledRows(rows));
  }

  offer(row: number, { rgb, width_px, height_px }: RgbFrame): void {
    if (!this.rows.has(row)) return;
    this.#pictures++;
    const longest = Math.max(width_px, height_px);
    const step = longest < threshold_px ? 1 : Math.floor(longest / target_px);
    const [red, green, blue] = this.#counts;
    for (let y = 0; y < height_px; y += step)
      for (let x = 0; x < width_px; x += step) {
        const at = (y * width_px + x) * 3;
        red[rgb[at]]++;
        green[rgb[at + 1]]++;
        blue[rgb[at + 2]]++;
      }
  }

  /** Of at least one picture. */
  result(): CameraStatistics {
    const nested = (of: (counts: Float64Array) => number) =>
      this.#counts.map((counts) => [[of(counts) / 255]]);
    const level = (share: number) => nested((counts) => quantileOf(counts, share));
    return {
      min: nested(leastOf),
      max: nested(mostOf),
      mean: nested(meanOf),
      std: nested(deviationOf),
      count: [this.#pictures],
      q01: level(0.01),
      q10: level(0.1),
      q50: level(0.5),
      q90: level(0.9),
      q99: level(0.99),
    };
  }
}

const leastOf = (counts: Float64Array) => counts.findIndex((count) => count > 0);
const mostOf = (counts: Float64Array) => counts.findLastIndex((count) => count > 0);

function meanOf(counts: Float64Array, of: (value: number) => number = (value) => value): number {
  let [sum, all] = [0, 0];
  counts.forEach((count, value) => {
    sum += count * of(value);
    all += count;
  });
  return sum / all;
}

function deviationOf(counts: Float64Array): number {
  const mean = meanOf(counts);
  return Math.sqrt(meanOf(counts, (value) => (value - mean) ** 2));
}

/** The library's histogram (`RunningQuantileStats`): so many bins over a range that is wider by this at both ends. */
const bins = 5000;
const margin = 1e-10;

function quantileOf(counts: Float64Array, share: number): number {
  const low = leastOf(counts) - margin;
  const width = (mostOf(counts) + margin - low) / bins;
  const target = share * counts.reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (let value = leastOf(counts); value < counts.length; value++) {
    if (counts[value] === 0) continue;
    if (before + counts[value] >= target) {
      const bin = Math.min(bins - 1, Math.floor((value - low) / width));
      return bin === 0 ? low : low + (bin + (target - before) / counts[value]) * width;
    }
    before += counts[value];
  }
  return low + bins * width;
}
