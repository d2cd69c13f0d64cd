import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { LaneEpisode } from '../lane.ts';

/** Artifacts of an episode by layer, and its receipt facts. */
export interface ReviewedEpisode {
  readonly facts: LaneEpisode['facts'];
  readonly artifacts: Readonly<Partial<Record<LayerId, JsonObject>>>;
}

/** Deterministic test of one layer's artifact. */
export interface ReviewTest {
  readonly id: string;
  readonly layer: LayerId;
  /** Description in one sentence. */
  readonly description: string;
  /** Returns evidence, or the reason why the test does not apply to this episode. */
  readonly run: (artifact: JsonObject, episode: ReviewedEpisode) => Omit<Evidence, 'test'> | string;
}

/** A failed item, with the moment at which it can be seen. */
export interface Fault {
  readonly message: string;
  readonly moment: Moment;
}

/** Maximum number of moments listed in evidence. */
const maxMoments = 8;

/**
 * Builds the evidence of a test that checks a list of items: number of items, number of faults, the first fault and
 * the moments of the first few. `examined`: number of items; `faults`: the failed ones; `numbers`: measurements over
 * all items. The `improvement` is included only if an item failed.
 */
export function buildEvidence(
  examined: number,
  faults: readonly (string | Fault)[],
  improvement: string,
  numbers: Evidence['numbers'] = {},
): Omit<Evidence, 'test'> {
  const [first] = faults;
  const moments = faults.flatMap((fault) => (typeof fault === 'string' ? [] : [fault.moment]));
  return {
    looked_at: examined,
    wrong: faults.length,
    first: first === undefined ? null : typeof first === 'string' ? first : first.message,
    at: moments.slice(0, maxMoments),
    numbers,
    improvement: first === undefined ? null : improvement,
  };
}

/** Verdict on an episode's annotation in one layer; `not_assessable` if no test could be applied. */
export type ReviewVerdict = 'good' | 'needs_work' | 'bad' | 'not_assessable';

/** A moment of a camera, or of the episode if `camera` is `null`. */
interface Moment {
  readonly camera: string | null;
  /** Seconds since the start of the episode. */
  readonly time_s: number;
}

/** Result of one test: number of items checked, and how many are wrong. */
export interface Evidence {
  readonly test: string;
  readonly looked_at: number;
  readonly wrong: number;
  /** Description of the first failure; `null` if nothing is wrong. */
  readonly first: string | null;
  /** Moments of the first failures; empty if they have no time. */
  readonly at: readonly Moment[];
  /** Measurements over all checked items, with units in their names. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Suggested fix; `null` if nothing is wrong. */
  readonly improvement: string | null;
}

/** A test that could not be applied, and why. */
export interface SkippedTest {
  readonly test: string;
  readonly reason: string;
}

/** Review of one layer of an episode. */
export interface LayerReview {
  readonly layer: LayerId;
  readonly verdict: ReviewVerdict;
  readonly evidence: readonly Evidence[];
  readonly not_held: readonly SkippedTest[];
}

/** Minimum deviation of a jump, as a fraction of the object's size. */
const minJump = 0.25;
/** Maximum time between frames that are compared. */
export const maxNeighbourGap_s = 0.5;

type Position = readonly [x: number, y: number];

const distance = (a: Position, b: Position): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/**
 * Returns the distance of the middle position from the midpoint of the other two, as a fraction of the object's size.
 */
export const relativeDeviation = (
  [before, now, after]: readonly [Position, Position, Position],
  size_px: number,
): number => distance(now, [(before[0] + after[0]) / 2, (before[1] + after[1]) / 2]) / Math.max(size_px, 1);

/**
 * Returns true if the middle position is an outlier: more than `minJump` off, while the other two are closer to each
 * other than half of that deviation.
 */
export function isPositionOutlier(places: readonly [Position, Position, Position], size_px: number): boolean {
  const deviation = relativeDeviation(places, size_px);
  return deviation > minJump && distance(places[0], places[2]) < (deviation * size_px) / 2;
}

/**
 * Returns true if the middle value is at least `times` larger, or smaller, than both neighbours, which differ by a
 * factor of √`times` at most.
 */
export function isSingleOutlier(
  [before, now, after]: readonly [number, number, number],
  times: number,
): boolean {
  const ratio = (a: number, b: number): number => Math.max(a, b) / Math.max(Math.min(a, b), 1e-9);
  return (
    ratio(before, after) <= Math.sqrt(times) && ratio(now, before) >= times && ratio(now, after) >= times
  );
}

/** Returns the median, the lower one of two middle values; `undefined` for an empty list. */
export function lowerMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1];
}
