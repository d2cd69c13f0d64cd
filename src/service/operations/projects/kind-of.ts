import type { Project } from '#core/api';
import { type Kind, kinds } from '#core/episode';

/** The kind of a project: what its episodes are by their streams, and the pinned kind, which wins. */
export function kindOf(
  pinned: Kind | null,
  counts: readonly { readonly derived: Kind; readonly episodes: number }[],
): Project['data_kind'] {
  const totals = new Map<Kind, number>();
  for (const { derived, episodes } of counts) totals.set(derived, (totals.get(derived) ?? 0) + episodes);
  const sorted = kinds
    .filter((kind) => totals.has(kind))
    .map((kind) => ({ kind, episodes: totals.get(kind)! }))
    .sort((a, b) => b.episodes - a.episodes);
  const derived = sorted[0]?.kind ?? null;
  return {
    effective: pinned ?? derived,
    from: pinned !== null ? 'pinned' : derived !== null ? 'derived' : 'none',
    pinned,
    derived,
    counts: sorted,
  };
}
