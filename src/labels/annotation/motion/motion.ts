import { clamp } from '#core';
import { type Bins, binsOf } from './bins.ts';
import type { MotionSource } from './motion-source.ts';
import { quantiles } from './quantile.ts';
import { type DimensionSpan, dimensionSpans, type MovingColumn, movingColumns } from './velocity.ts';

/** How an episode moves, bin by bin; without unit and scale. */
export interface Motion {
  readonly source: MotionSource;
  readonly bins: Bins;
  readonly moving: readonly MovingColumn[];
  /** Length of the velocity vector of a bin, in spans a second. */
  readonly speed: Float64Array;
  /** The 90th percentile of the speed: how fast it is where it is fast. 0: nothing moves. */
  readonly typical: number;
  /** Below this it stands still. */
  readonly rest: number;
  /** Bins `from..to` (exclusive) in which it stands still. */
  readonly still: readonly (readonly [from: number, to: number])[];
}

/**
 * Standing still: below 6 % of how fast it moves elsewhere, or below 1.5 times what noise seems to move; never above
 * a quarter of that speed, since at few rows a second motion itself looks like noise.
 */
const restShare = { least: 0.06, most: 0.25 };
const restNoise = 1.5;
/** A velocity is taken over as little time as its noise allows: a tenth of a second where that is enough. */
const slopes_s = [0.1, 0.2, 0.3];
/** It moves again above this many times the speed of rest, so that a hesitation is no string of stops. */
const wake = 1.6;
/** A shorter rest is a turn. */
const leastRest_s = 0.15;

export function motionOf(source: MotionSource): Motion {
  const bins = binsOf(source);
  const spans = dimensionSpans(bins);
  let measured = measure(bins, spans, slopes_s[0]);
  for (const slope_s of slopes_s.slice(1)) {
    if (restNoise * measured.noise <= restShare.least * measured.typical) break;
    measured = measure(bins, spans, slope_s);
  }
  const { moving, noise, speed, typical } = measured;
  const rest = clamp(restNoise * noise, restShare.least * typical, restShare.most * typical);
  return { source, bins, moving, speed, typical, rest, still: stillSpans(bins, speed, rest) };
}

function measure(bins: Bins, spans: readonly DimensionSpan[], slope_s: number) {
  const moving = movingColumns(bins, spans, slope_s);
  const speed = new Float64Array(bins.count);
  let noise = 0;
  for (const { velocity, noise: own } of moving) {
    for (let b = 0; b < speed.length; b++) speed[b] += velocity[b] * velocity[b];
    noise += own * own;
  }
  for (let b = 0; b < speed.length; b++) speed[b] = Math.sqrt(speed[b]);
  const [typical] = quantiles(speed, [0, speed.length], [0.9]);
  return { moving, noise: Math.sqrt(noise), speed, typical };
}

function stillSpans({ ranges, from_s, to_s }: Bins, speed: Float64Array, rest: number): [number, number][] {
  const spans: [number, number][] = [];
  const keep = (from: number, to: number) => {
    if (from < to && to_s[to - 1] - from_s[from] >= leastRest_s) spans.push([from, to]);
  };
  for (const [from, to] of ranges) {
    let since = -1;
    let calm = from;
    for (let b = from; b < to; b++) {
      if (speed[b] <= rest) {
        if (since < 0) since = b;
        calm = b + 1;
      } else if (since >= 0 && speed[b] > wake * rest) {
        keep(since, calm);
        since = -1;
      }
    }
    if (since >= 0) keep(since, calm);
  }
  return spans;
}

/** Seconds in which rows followed one another without a hole; 0: no two of them with different stamps. */
export function observedTime({ bins: { from_s, rows, ranges, to_s } }: Motion): number {
  if (!(rows.step_s > 0)) return 0;
  return ranges.reduce((sum, [from, to]) => sum + to_s[to - 1] - from_s[from], 0);
}
