/** The first of the items that is wanted; null where none is. */
export async function findIn<Item>(
  items: AsyncIterable<Item>,
  wanted: (item: Item) => boolean,
): Promise<Item | null> {
  for await (const item of items) if (wanted(item)) return item;
  return null;
}
