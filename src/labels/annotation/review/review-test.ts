import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { LaneEpisode } from '../lane.ts';
import type { Evidence, Moment } from './verdict.ts';

/** An episode's artifacts by layer, and what its receipt says of it. */
export interface ReviewedEpisode {
  readonly facts: LaneEpisode['facts'];
  readonly artifacts: Readonly<Partial<Record<LayerId, JsonObject>>>;
}

/** A deterministic test of one layer's artifact. */
export interface ReviewTest {
  readonly id: string;
  readonly layer: LayerId;
  /** What it holds against what, in a sentence. */
  readonly says: string;
  /** A string: why it cannot be held against this episode. */
  readonly run: (artifact: JsonObject, episode: ReviewedEpisode) => Omit<Evidence, 'test'> | string;
}

/** Something wrong, in words, and where it can be seen. */
export interface Fault {
  readonly says: string;
  readonly at: Moment;
}

/** Moments that evidence names. */
const mostMoments = 8;

/**
 * Evidence of a test that looks at one thing after the other. `faults`: of those that are wrong. `numbers`: what was
 * measured over all of them.
 */
export function evidenceOf(
  looked_at: number,
  faults: readonly (string | Fault)[],
  improvement: string,
  numbers: Evidence['numbers'] = {},
): Omit<Evidence, 'test'> {
  const [first] = faults;
  const moments = faults.flatMap((fault) => (typeof fault === 'string' ? [] : [fault.at]));
  return {
    looked_at,
    wrong: faults.length,
    first: first === undefined ? null : typeof first === 'string' ? first : first.says,
    at: moments.slice(0, mostMoments),
    numbers,
    improvement: first === undefined ? null : improvement,
  };
}
