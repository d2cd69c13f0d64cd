import type { Series } from '#episode';
import type { Span } from './clock-features.ts';
import { samplesOf } from './columns.ts';

/** How one dimension alternates from sample to sample. */
export interface Chatter {
  /** Share of rows whose bend and the bend before it are large and of opposite signs. */
  readonly share: number;
  /** The longest unbroken run of such rows. */
  readonly longest: Span;
}

/** A bend of 2 % of the range is an alternation of ±0.5 %. */
export const chatterBend = 0.02;

export function chatter(series: Series, d: number, range: number): Chatter {
  const { values, dims } = series;
  const samples = samplesOf(series);
  const limit = chatterBend * range;
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
  };
}
