import { type JsonObject, significant } from '#core';
import { type FrameBatch, type LaneFrame, roundToMicroseconds } from '../../lane.ts';
import { quantiles } from '../../motion/quantile.ts';
import {
  compareFrames,
  computeFeatures,
  type FrameChange,
  type FrameFeatures,
  meanValue,
  measureStructure,
  toGrey,
} from '../../vision/frame-statistics.ts';

/**
 * The camera counts as moving if at least `minAgreement` of the blocks move alike, by at least `minShift` of the
 * picture width.
 */
const motionThresholds = { minAgreement: 0.6, minShift: 0.0125 } as const;
const maxCuts = 100;

/** Accumulates picture statistics of one camera over its sampled frames. */
export class CameraStatistics {
  readonly #brightness: number[] = [];
  readonly #sharpness: number[] = [];
  readonly #edges: number[] = [];
  readonly #speeds: number[] = [];
  readonly #cuts_s: number[] = [];
  #pairs = 0;
  #moving = 0;
  #still = 0;
  #before: { readonly view: FrameFeatures; readonly time_s: number } | null = null;
  /** Reason why the camera cannot be decoded; `null` if unknown or decodable. */
  unreadable: string | null = null;

  /** Number of frames so far. */
  get frames(): number {
    return this.#brightness.length;
  }

  /** Adds the frames of a batch. */
  add({ frames, missing, unreadable }: FrameBatch): void {
    this.unreadable ??= unreadable ?? missing[0]?.reason ?? null;
    for (const frame of frames) this.#addFrame(frame);
  }

  #addFrame(frame: LaneFrame): void {
    const view = computeFeatures(frame);
    const { laplacian_variance, edge_fraction } = measureStructure(toGrey(frame));
    this.#brightness.push(meanValue(view.grey.values) / 255);
    this.#sharpness.push(laplacian_variance);
    this.#edges.push(edge_fraction);
    const before = this.#before;
    this.#before = { view, time_s: frame.time_s };
    if (before === null || frame.time_s <= before.time_s) return;
    const change = compareFrames(before.view, view);
    if (change !== null) this.#compare(change, before.time_s, frame.time_s);
  }

  #compare({ shift, isCut }: FrameChange, from_s: number, to_s: number): void {
    if (isCut) this.#cuts_s.push(to_s);
    if (shift.blocks === 0 || isCut) return;
    this.#pairs++;
    if (shift.agreement < motionThresholds.minAgreement) return;
    const length = Math.hypot(shift.x, shift.y);
    if (length < motionThresholds.minShift) this.#still++;
    else this.#moving++;
    this.#speeds.push(length / (to_s - from_s));
  }

  /** Returns the mean luma of a frame, 0 to 1, as median over the frames, with 10th and 90th percentile. */
  brightness(): JsonObject {
    const [low, middle, high] = quantileSpread(this.#brightness);
    return { darkest: low, frames: this.frames, mean: middle, brightest: high };
  }

  /**
   * Returns the median variance of the Laplacian and its 10th percentile, on scaled-down frames; lower means more
   * blurred.
   */
  blur(): JsonObject {
    const [low, middle] = quantileSpread(this.#sharpness);
    return { frames: this.frames, laplacian_variance: middle, laplacian_variance_of_most_blurred: low };
  }

  /** Returns the median fraction of edge pixels. */
  clutter(): JsonObject {
    const [, middle] = quantileSpread(this.#edges);
    return { edge_fraction: middle, frames: this.frames };
  }

  /** Returns camera motion statistics; `null` if no two frames could be compared or no texture was found. */
  motion(): JsonObject | null {
    if (this.#pairs === 0) return null;
    const share = (count: number) => significant(count / this.#pairs, 4);
    const [, middle, high] = quantileSpread(this.#speeds);
    return {
      fast_widths_per_s: this.#speeds.length === 0 ? null : high,
      moving_fraction: share(this.#moving),
      pairs: this.#pairs,
      still_fraction: share(this.#still),
      typical_widths_per_s: this.#speeds.length === 0 ? null : middle,
      unclear_fraction: share(this.#pairs - this.#moving - this.#still),
    };
  }

  /** Returns the number of scene cuts and the times of the first `maxCuts`; `null` with fewer than two frames. */
  cuts(): JsonObject | null {
    if (this.frames < 2) return null;
    return { at_s: this.#cuts_s.slice(0, maxCuts).map(roundToMicroseconds), cuts: this.#cuts_s.length };
  }
}

/** Returns the 10th percentile, the median and the 90th percentile. */
const quantileSpread = (values: readonly number[]): readonly [number, number, number] => {
  const [low, middle, high] = quantiles(Float64Array.from(values), [0, values.length], [0.1, 0.5, 0.9]);
  return [significant(low, 4), significant(middle, 4), significant(high, 4)];
};
