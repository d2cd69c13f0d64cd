export interface SelectedIds {
  readonly ids: ReadonlySet<string>;
  /** Id of the episode that was changed last; `null` if none was. */
  readonly anchor: string | null;
}

/**
 * Returns the selection after the episode at an index was toggled. With `isRange` all from the anchor to it get its new
 * state; without an anchor in the list only itself.
 */
export function toggleRange(
  items: readonly { readonly id: string }[],
  { ids, anchor }: SelectedIds,
  index: number,
  isRange: boolean,
): SelectedIds {
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
