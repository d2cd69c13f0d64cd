import type { Kind } from '#core/episode';
import type { LayerRow } from '../layer.ts';

/** How many episodes there are of each kind; a kind that is pinned stands for that of all. */
export type KindCounts = Readonly<Partial<Record<Kind, number>>>;

/** Whether anything that is there can carry a layer. */
export interface Applicability {
  readonly applicable: boolean;
  /** Why not; null where it can, and where nothing is there yet. */
  readonly reason: string | null;
  readonly applicable_episodes: number;
}

/** Says it of the kinds at hand; a pinned kind decides even before the first episode. */
export function applicabilityOf(layer: LayerRow, counts: KindCounts, pinned: Kind | null): Applicability {
  const there = pinned === null ? kindsIn(counts) : [pinned];
  const able = there.filter((kind) => layer.unfit[kind] === undefined);
  const applicable = able.length > 0 || there.length === 0;
  return {
    applicable,
    reason: applicable ? null : there.map((kind) => `${kind}: ${layer.unfit[kind]}`).join('; '),
    applicable_episodes: pinned !== null && applicable ? total(counts) : sum(counts, able),
  };
}

const kindsIn = (counts: KindCounts): readonly Kind[] =>
  (Object.keys(counts) as Kind[]).filter((kind) => (counts[kind] ?? 0) > 0);
const sum = (counts: KindCounts, kinds: readonly Kind[]): number =>
  kinds.reduce((all, kind) => all + (counts[kind] ?? 0), 0);
const total = (counts: KindCounts): number => sum(counts, kindsIn(counts));
