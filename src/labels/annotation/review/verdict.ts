import type { LayerId } from '#core/api';

/** What is said of an episode's annotation in one layer; `not_assessable` where no test could be held against it. */
export type ReviewVerdict = 'good' | 'needs_work' | 'bad' | 'not_assessable';

/** A moment of a camera, or of the episode where it names none. */
export interface Moment {
  readonly camera: string | null;
  /** Since the start of the episode. */
  readonly time_s: number;
}

/** What one test found: how many things it looked at, and how many of them are wrong. */
export interface Evidence {
  readonly test: string;
  readonly looked_at: number;
  readonly wrong: number;
  /** In words, with the first place at fault; null where nothing is. */
  readonly first: string | null;
  /** Where what is wrong can be seen, the first few; none where it has no time. */
  readonly at: readonly Moment[];
  /** What was measured over all that it looked at, each with its unit in its name. */
  readonly numbers: Readonly<Record<string, number>>;
  /** What would mend it; null where nothing is wrong. */
  readonly improvement: string | null;
}

/** A test that gave no answer, and why. */
export interface NotHeld {
  readonly test: string;
  readonly reason: string;
}

export interface LayerReview {
  readonly layer: LayerId;
  readonly verdict: ReviewVerdict;
  readonly evidence: readonly Evidence[];
  readonly not_held: readonly NotHeld[];
}
