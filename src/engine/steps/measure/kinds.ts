import type { Kind } from '#core/episode';

type Kinds = Readonly<Partial<Record<Kind, number>>>;

/** Most episodes' kind; of equal counts the first by name, so that order of work does not matter. */
export function majority(kinds: Kinds): Kind | null {
  const sorted = Object.entries(kinds).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.length === 0 ? null : (sorted[0][0] as Kind);
}

/** Episodes of each kind, of all together. */
export function totalKinds(all: readonly Kinds[]): Partial<Record<Kind, number>> {
  const total: Partial<Record<Kind, number>> = {};
  for (const kinds of all) {
    for (const [kind, count] of Object.entries(kinds)) {
      total[kind as Kind] = (total[kind as Kind] ?? 0) + count;
    }
  }
  return total;
}
