import type { LayerId } from '#contract';
import type { JsonObject } from '#kernel';
import type { Evidence } from './verdict.ts';

/** An episode's artifacts by layer, and what its receipt says of it. */
export interface ReviewedEpisode {
  readonly duration_s: number;
  readonly tasks: readonly string[];
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

/** Evidence of a test that looks at one thing after the other. `faults`: of those that are wrong, in words. */
export function evidenceOf(
  looked_at: number,
  faults: readonly string[],
  improvement: string,
): Omit<Evidence, 'test'> {
  const isWrong = faults.length > 0;
  return {
    looked_at,
    wrong: faults.length,
    first: isWrong ? faults[0] : null,
    improvement: isWrong ? improvement : null,
  };
}
