import { useState } from 'react';
import type { EpisodeSummary } from '#client';
import { type SelectedIds, toggleRange } from './toggle-range.ts';

/** Members of an episode that selecting and bulk actions need. */
export type Selectable = Pick<EpisodeSummary, 'id' | 'receipt_id'>;

/** Episodes of a list that are selected. */
export interface Selection {
  readonly episodes: readonly Selectable[];
  has(id: string): boolean;
  /** Selects the episode at an index, or deselects it; with `isRange` all from the one that was changed last. */
  toggle(index: number, isRange: boolean): void;
  /** Selects these episodes instead of, or with `isAdded` in addition to, the selected ones. */
  choose(ids: readonly string[], isAdded: boolean): void;
  /** Deselects one episode. */
  remove(id: string): void;
  clear(): void;
}

interface Selected extends SelectedIds {
  /** Project and filter that the selection belongs to. */
  readonly scope: string;
}

const emptySelection = (scope: string): Selected => ({ scope, ids: new Set(), anchor: null });

/**
 * Selection of episodes of a list. Episodes that leave the list leave the selection; another `scope`, such as another
 * filter, starts with none selected.
 */
export function useSelection(items: readonly Selectable[], scope: string): Selection {
  const [selected, setSelected] = useState(() => emptySelection(scope));
  if (selected.scope !== scope) setSelected(emptySelection(scope));
  return {
    episodes: items.filter(({ id }) => selected.ids.has(id)),
    has: (id) => selected.ids.has(id),
    toggle: (index, isRange) =>
      setSelected((before) => ({ ...before, ...toggleRange(items, before, index, isRange) })),
    choose: (ids, isAdded) =>
      setSelected((before) => ({ ...before, ids: new Set([...(isAdded ? before.ids : []), ...ids]) })),
    remove: (id) =>
      setSelected((before) => ({ ...before, ids: new Set([...before.ids].filter((each) => each !== id)) })),
    clear: () => setSelected(emptySelection(scope)),
  };
}
