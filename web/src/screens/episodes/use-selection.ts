import { useState } from 'react';
import type { EpisodeSummary } from '#client';

/** Episodes of a list that are selected. */
export interface Selection {
  readonly episodes: readonly EpisodeSummary[];
  has(id: string): boolean;
  /** Selects the episode at an index, or deselects it; with `isRange` all from the one that was changed last. */
  toggle(index: number, isRange: boolean): void;
  clear(): void;
}

/** Selection of episodes of a list; episodes that leave the list leave the selection. */
export function useSelection(items: readonly EpisodeSummary[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState(0);
  const toggle = (index: number, isRange: boolean) => {
    const first = isRange ? Math.min(anchor, index) : index;
    const last = isRange ? Math.max(anchor, index) : index;
    const next = new Set(ids);
    const isAdded = !ids.has(items[index].id);
    for (const { id } of items.slice(first, last + 1)) {
      if (isAdded) next.add(id);
      else next.delete(id);
    }
    setIds(next);
    setAnchor(index);
  };
  return {
    episodes: items.filter(({ id }) => ids.has(id)),
    has: (id) => ids.has(id),
    toggle,
    clear: () => setIds(new Set()),
  };
}
