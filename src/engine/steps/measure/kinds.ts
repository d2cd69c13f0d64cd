import type { Kind } from '#core/episode';

type Kinds = Readonly<Partial<Record<Kind, number>>>;

/**
 * Returns the most frequent kind, or null without episodes. Ties go to the first by name, so that the order of work
 * does not matter.
 */
export function majorityKind(kinds: Kinds): Kind | null {
  const sorted = Object.entries(kinds).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.length === 0 ? null : (sorted[0][0] as Kind);
}

/** Returns the total number of episodes per kind. */
export function sumKinds(all: readonly Kinds[]): Partial<Record<Kind, number>> {
  const total: Partial<Record<Kind, number>> = {};
  for (const kinds of all) {
    for (const [kind, count] of Object.entries(kinds)) {
      total[kind as Kind] = (total[kind as Kind] ?? 0) + count;
    }
  }
  return total;
}

/** First evidence line of a kind set by `--kind`. */
export const kindSetByHand = 'set by hand';
