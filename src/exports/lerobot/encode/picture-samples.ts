import type { RgbFrame } from '../../set/camera-pictures.ts';
import { type CameraStatistics, cameraStatistics } from '../statistics/statistics.ts';

/** How many pictures LeRobot looks at (`estimate_num_samples`): rows to the power of 0.75, 100 to 10,000 of them. */
const power = 0.75;
const fewest = 100;
/** This writer holds what it samples, so that it takes no more than a hundred, which is what LeRobot takes of 460 rows. */
const most = 100;
/** Pictures with a side from this on are looked at in steps (`auto_downsample_height_width`). */
const threshold_px = 300;
const target_px = 150;

/** Takes the pixels that LeRobot's statistics of a camera look at, of pictures spread evenly over an episode. */
export class PictureSamples {
  /** Rows whose pictures it looks at. */
  readonly rows: ReadonlySet<number>;
  readonly #channels: [number[], number[], number[]] = [[], [], []];
  #pictures = 0;

  constructor(rows: number) {
    const wanted = Math.min(most, rows, Math.max(fewest, Math.round(rows ** power)));
    const step = wanted > 1 ? (rows - 1) / (wanted - 1) : 0;
    this.rows = new Set(Array.from({ length: wanted }, (_, i) => Math.round(i * step)));
  }

  offer(row: number, { rgb, width_px, height_px }: RgbFrame): void {
    if (!this.rows.has(row)) return;
    this.#pictures++;
    const longest = Math.max(width_px, height_px);
    const step = longest < threshold_px ? 1 : Math.max(1, Math.floor(longest / target_px));
    for (let y = 0; y < height_px; y += step)
      for (let x = 0; x < width_px; x += step) {
        const at = (y * width_px + x) * 3;
        for (const [channel, values] of this.#channels.entries()) values.push(rgb[at + channel]);
      }
  }

  result(): CameraStatistics {
    return cameraStatistics(
      this.#channels.map((values) => Float64Array.from(values)),
      this.#pictures,
    );
  }
}
