import { useState } from 'react';
import type { EpisodeSummary } from '#client';

/** Episodes of a list that are selected. */
export interface Selection {
  readonly episodes: readonly EpisodeSummary[];
  has(id: string): boolean;
  /** Selects the episode at an index, or deselects it; with `isRange` all from the one that was changed last. */
  toggle(index: number, isRange: boolean): void;
  /** Deselects one episode. */
  remove(id: string): void;
  clear(): void;
}

interface Selected {
  /** Project and filter that the selection belongs to. */
  readonly scope: string;
  readonly ids: ReadonlySet<string>;
  /** Id of the episode that was changed last; `null` if none was. */
  readonly anchor: string | null;
}

const emptySelection = (scope: string): Selected => ({ scope, ids: new Set(), anchor: null });

/**
 * Selection of episodes of a list. Episodes that leave the list leave the selection; another `scope`, such as another
 * filter, starts with none selected.
 */
export function useSelection(items: readonly EpisodeSummary[], scope: string): Selection {
  const [selected, setSelected] = useState(() => emptySelection(scope));
  if (selected.scope !== scope) setSelected(emptySelection(scope));
  return {
    episodes: items.filter(({ id }) => selected.ids.has(id)),
    has: (id) => selected.ids.has(id),
    toggle: (index, isRange) =>
      setSelected((before) => ({ ...before, ...toggleRange(items, before, index, isRange) })),
    remove: (id) =>
      setSelected((before) => ({ ...before, ids: new Set([...before.ids].filter((each) => each !== id)) })),
    clear: () => setSelected(emptySelection(scope)),
  };
}

/**
 * Returns the selection after the episode at an index was toggled. With `isRange` all from the anchor to it get its new
 * state; without an anchor in the list only itself.
 */
export function toggleRange(
  items: readonly { readonly id: string }[],
  { ids, anchor }: Pick<Selected, 'ids' | 'anchor'>,
  index: number,
  isRange: boolean,
): Pick<Selected, 'ids' | 'anchor'> {
  const { id: own } = items[index];
  const at = isRange ? items.findIndex(({ id }) => id === anchor) : -1;
  const start = at < 0 ? index : at;
  const next = new Set(ids);
  for (const { id } of items.slice(Math.min(start, index), Math.max(start, index) + 1)) {
    if (ids.has(own)) next.delete(id);
    else next.add(id);
  }
  return { ids: next, anchor: own };
}
