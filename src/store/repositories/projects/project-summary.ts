import type { Decision } from '#core/api';
import type { Kind, Outcome } from '#core/episode';

/** How many episodes share something. */
export interface Share<Value> {
  readonly value: Value;
  readonly episodes: number;
}

export interface ProjectSummary {
  readonly episodes: number;
  /** Of those whose duration has an end; six places. */
  readonly duration_s: number;
  readonly sources: number;
  readonly tasks: number;
  readonly unscored: number;
  readonly lowest_score: number | null;
  readonly median_score: number | null;
  readonly highest_score: number | null;
  readonly reviewed: number;
  /** Reviewed otherwise than the machine decided. */
  readonly overruled: number;
  /** Most first, equals by name. */
  readonly decisions: readonly Share<Decision>[];
  readonly kinds: readonly Share<Kind>[];
  readonly outcomes: readonly Share<Outcome['value']>[];
  readonly robots: readonly Share<string | null>[];
  readonly flags: readonly Share<string>[];
}

/** Most first, equals by name. */
export const inOrder = <Value extends string | null>(shares: Iterable<Share<Value>>): Share<Value>[] =>
  [...shares].sort((a, b) => b.episodes - a.episodes || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
