import type { Episode } from '#core/episode';
import type { Aspect } from '../../check.ts';
import { plain } from '../../features/plain.ts';
import { ramp } from '../../features/ramp.ts';
import type { Spans } from './facts.ts';

/** What the recorder says it lost. */
export type DropoutFacts = {
  readonly count: number;
  /** Together and at most; 0 where the recorder counts blocks and does not time. */
  readonly total_s: number;
  readonly longest_s: number;
  /** Messages or blocks; null where the recorder times and does not count. */
  readonly lost: number | null;
  readonly share: number;
  readonly spans_s: Spans;
};

const mostListed = 16;

/** null: the format keeps no record of what was lost. */
export function dropoutFacts({ dropouts, duration_s }: Episode): DropoutFacts | null {
  if (dropouts === undefined) return null;
  let total_s = 0;
  let longest_s = 0;
  let lost: number | null = null;
  for (const dropout of dropouts) {
    total_s += dropout.duration_s ?? 0;
    longest_s = Math.max(longest_s, dropout.duration_s ?? 0);
    if (dropout.lost !== null) lost = (lost ?? 0) + dropout.lost;
  }
  const spans = dropouts
    .toSorted((a, b) => (b.duration_s ?? 0) - (a.duration_s ?? 0))
    .slice(0, mostListed)
    .map(({ time_s, duration_s }) => [plain(time_s, 9), plain(time_s + (duration_s ?? 0), 9)] as const)
    .sort((a, b) => a[0] - b[0]);
  return {
    count: dropouts.length,
    total_s: plain(total_s),
    longest_s: plain(longest_s),
    lost,
    share: duration_s > 0 ? plain(total_s / duration_s) : 0,
    spans_s: spans,
  };
}

/**
 * The share as for holes in a clock; the longest steeper than those, which must be told from jitter, while what the
 * recorder admits is certain. Blocks without a duration are counted and not scored: nothing says how much time they held.
 */
export function dropoutAspects({ count, total_s, longest_s, share, spans_s }: DropoutFacts): Aspect[] {
  const score = Math.min(ramp(share, 0.005, 0.05), ramp(longest_s, 0.25, 0.5));
  if (score === 1) return [];
  return [
    {
      flag: 'recorder_dropout',
      score,
      observed: share,
      message: () =>
        `the recorder says that it lost ${total_s} s in ${count} ${count === 1 ? 'dropout' : 'dropouts'}, ${longest_s} s at most`,
      marks: spans_s.map(([from_s, to_s]) => ({ stream: 'recorder', from_s, to_s })),
    },
  ];
}
