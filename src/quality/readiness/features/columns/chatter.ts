import type { Series } from '#core/episode';
import type { Span } from '../clocks/clock-features.ts';
import { samplesOf } from './columns.ts';

/** How one dimension alternates from sample to sample. */
export interface Chatter {
  /** Share of rows whose bend and the bend before it are large and of opposite signs. */
  readonly share: number;
  /** The longest unbroken run of such rows. */
  readonly longest: Span;
  /** The mean |bend| of that run. */
  readonly bend: number;
}

/** A bend of 2 % of the range is an alternation of ±0.5 %; beside the widest range of the stream a tick is noise. */
export function leastBend(range: number, widest: number): number {
  return Math.max(0.02 * range, 0.004 * widest);
}

/** A signal that rests between two codes of its encoder alternates by itself, with bends of at most so many codes. */
const leastCodes = 3.5;

/** Counts bends beyond `least` and beyond the play of the encoder. */
export function chatter(series: Series, d: number, least: number): Chatter {
  const { values, dims } = series;
  const samples = samplesOf(series);
  const limit = Math.max(least, leastCodes * smallestStep(series, d, samples));
  let rows = 0;
  let run = 0;
  let best = 0;
  let bestEnd = 0;
  let before = 0;
  for (let i = 1; i < samples - 1; i++) {
    const at = i * dims + d;
    const bend = values[at + dims] - 2 * values[at] + values[at - dims];
    const large = bend > limit || bend < -limit;
    if (large && bend * before < 0) {
      rows++;
      if (++run > best) {
        best = run;
        bestEnd = i;
      }
    } else run = 0;
    before = large ? bend : 0;
  }
  return {
    share: samples > 0 ? rows / samples : 0,
    longest: { from: bestEnd - best, to: bestEnd, size: best },
    bend: best === 0 ? 0 : meanBend(series, d, bestEnd - best + 1, bestEnd + 1),
  };
}

/** Of rows from..to, `to` left out. */
function meanBend({ values, dims }: Series, d: number, from: number, to: number): number {
  let sum = 0;
  for (let at = from * dims + d; at < to * dims; at += dims)
    sum += Math.abs(values[at + dims] - 2 * values[at] + values[at - dims]);
  return sum / (to - from);
}

/** Smallest difference of neighbours and of next neighbours that is not zero: one code of a quantised signal. */
function smallestStep({ values, dims }: Series, d: number, samples: number): number {
  let smallest = Infinity;
  for (let i = 2; i < samples; i++) {
    const at = i * dims + d;
    const one = Math.abs(values[at] - values[at - dims]);
    const two = Math.abs(values[at] - values[at - 2 * dims]);
    if (one > 0 && one < smallest) smallest = one;
    if (two > 0 && two < smallest) smallest = two;
  }
  return smallest === Infinity ? 0 : smallest;
}
