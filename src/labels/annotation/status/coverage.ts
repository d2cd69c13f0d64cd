import type { LayerId } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import type { LayerRow } from '../layer.ts';
import type { KindCounts } from '../settings/applicability.ts';

/** Episodes of a kind that carry a layer. */
export interface LayerCount {
  readonly layer: LayerId;
  /** By the streams. */
  readonly kind: Kind;
  readonly episodes: number;
  /** Of those whose quality could be told: how many, and the sum of it. */
  readonly assessed: number;
  readonly quality: number;
}

/** How far a layer has come with the episodes of one kind. */
export interface KindCoverage {
  readonly kind: Kind;
  readonly applicable: boolean;
  /** Why it is not; null where it is. */
  readonly reason: string | null;
  readonly episodes: number;
  readonly covered: number;
  /** Null where nothing can be covered. */
  readonly coverage: number | null;
  /** Mean over those that were assessed; null where none was. */
  readonly quality: number | null;
  readonly assessed: number;
}

/** How far a layer has come with each kind that occurs; a pinned kind stands for that of all episodes. */
export function coverageOf(
  layer: LayerRow,
  episodes: KindCounts,
  pinned: Kind | null,
  counts: readonly LayerCount[],
): readonly KindCoverage[] {
  const own = counts.filter((count) => count.layer === layer.id);
  const total = (of: readonly Kind[]) => of.reduce((sum, kind) => sum + (episodes[kind] ?? 0), 0);
  if (pinned !== null) return [kindCoverage(layer, pinned, total(kinds), own)];
  const there = kinds.filter((kind) => (episodes[kind] ?? 0) > 0);
  return there.map((kind) =>
    kindCoverage(
      layer,
      kind,
      total([kind]),
      own.filter((count) => count.kind === kind),
    ),
  );
}

/** Episodes that can carry the layer and do. */
export const coveredIn = (coverage: readonly KindCoverage[]): number =>
  coverage.reduce((sum, { applicable, covered }) => sum + (applicable ? covered : 0), 0);

function kindCoverage(
  layer: LayerRow,
  kind: Kind,
  episodes: number,
  counts: readonly LayerCount[],
): KindCoverage {
  const sum = (member: 'episodes' | 'assessed' | 'quality') =>
    counts.reduce((all, count) => all + count[member], 0);
  const reason = layer.unfit[kind] ?? null;
  const applicable = reason === null;
  const covered = sum('episodes');
  const assessed = sum('assessed');
  return {
    kind,
    applicable,
    reason,
    episodes,
    covered,
    coverage: applicable && episodes > 0 ? share(covered, episodes) : null,
    quality: assessed > 0 ? share(sum('quality'), assessed) : null,
    assessed,
  };
}

/** The kept sum of quality has gone up and down by fractions, so it may be a last digit off. */
const share = (part: number, of: number): number => Math.min(1, Math.max(0, part / of));
