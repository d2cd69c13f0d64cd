import { type JsonObject, significant } from '#core';
import type { FrameBatch, LaneFrame } from '../../lane.ts';
import { greyOf, meanOf, structureOf } from '../../looks/grey.ts';
import { type Change, changeBetween, type View, viewOf } from '../../looks/view.ts';
import { micro } from '../../micro.ts';
import { quantiles } from '../../motion/quantile.ts';

/** The camera moves where most of what is seen goes the same way, this share of the picture's width or further. */
const moves = { agreeing: 0.6, share: 0.0125 } as const;
const mostCuts = 100;

/** What one camera's sampled frames show as a whole. */
export class CameraLook {
  readonly #brightness: number[] = [];
  readonly #sharpness: number[] = [];
  readonly #edges: number[] = [];
  readonly #speeds: number[] = [];
  readonly #cuts_s: number[] = [];
  #pairs = 0;
  #moving = 0;
  #still = 0;
  #before: { readonly view: View; readonly time_s: number } | null = null;
  /** Why nothing of it can be decoded; null where something can. */
  unreadable: string | null = null;

  get frames(): number {
    return this.#brightness.length;
  }

  add({ frames, missing, unreadable }: FrameBatch): void {
    this.unreadable ??= unreadable ?? missing[0]?.reason ?? null;
    for (const frame of frames) this.#see(frame);
  }

  #see(frame: LaneFrame): void {
    const view = viewOf(frame);
    const { laplacian_variance, edge_fraction } = structureOf(greyOf(frame));
    this.#brightness.push(meanOf(view.grey.values) / 255);
    this.#sharpness.push(laplacian_variance);
    this.#edges.push(edge_fraction);
    const before = this.#before;
    this.#before = { view, time_s: frame.time_s };
    if (before === null || frame.time_s <= before.time_s) return;
    const change = changeBetween(before.view, view);
    if (change !== null) this.#compare(change, before.time_s, frame.time_s);
  }

  #compare({ shift, isCut }: Change, from_s: number, to_s: number): void {
    if (isCut) this.#cuts_s.push(to_s);
    if (shift.blocks === 0 || isCut) return;
    this.#pairs++;
    if (shift.agreeing < moves.agreeing) return;
    const length = Math.hypot(shift.x, shift.y);
    if (length < moves.share) this.#still++;
    else this.#moving++;
    this.#speeds.push(length / (to_s - from_s));
  }

  /** Mean luma as a share of white: of the median frame, and of all but the tenth that is darkest and brightest. */
  brightness(): JsonObject {
    const [low, middle, high] = spread(this.#brightness);
    return { darkest: low, frames: this.frames, mean: middle, brightest: high };
  }

  /** Variance of the Laplacian of the picture reduced to 320 px; the less, the more blurred. */
  blur(): JsonObject {
    const [low, middle] = spread(this.#sharpness);
    return { frames: this.frames, laplacian_variance: middle, laplacian_variance_of_most_blurred: low };
  }

  clutter(): JsonObject {
    const [, middle] = spread(this.#edges);
    return { edge_fraction: middle, frames: this.frames };
  }

  /** Null: no two frames that can be compared, or nothing in them that could be found again. */
  motion(): JsonObject | null {
    if (this.#pairs === 0) return null;
    const share = (count: number) => significant(count / this.#pairs, 4);
    const [, middle, high] = spread(this.#speeds);
    return {
      fast_widths_per_s: this.#speeds.length === 0 ? null : high,
      moving_fraction: share(this.#moving),
      pairs: this.#pairs,
      still_fraction: share(this.#still),
      typical_widths_per_s: this.#speeds.length === 0 ? null : middle,
      unclear_fraction: share(this.#pairs - this.#moving - this.#still),
    };
  }

  cuts(): JsonObject | null {
    if (this.frames < 2) return null;
    return { at_s: this.#cuts_s.slice(0, mostCuts).map(micro), cuts: this.#cuts_s.length };
  }
}

/** The 10th percentile, the median and the 90th. */
const spread = (values: readonly number[]): readonly [number, number, number] => {
  const [low, middle, high] = quantiles(Float64Array.from(values), [0, values.length], [0.1, 0.5, 0.9]);
  return [significant(low, 4), significant(middle, 4), significant(high, 4)];
};
