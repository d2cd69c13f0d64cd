import type { ServiceClient } from './service-client.ts';

/** One page of a list. */
export interface Items<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** All items of a list, asked for page by page. */
export async function* allOf<Item>(client: ServiceClient, path: string): AsyncGenerator<Item> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Items<Item> = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=500${next}`);
    yield* page.items;
    cursor = page.next_cursor;
  }
}

/** The first item of a list that is wanted; null where none is. */
export async function findIn<Item>(client: ServiceClient, path: string, wanted: (item: Item) => boolean) {
  for await (const item of allOf<Item>(client, path)) if (wanted(item)) return item;
  return null;
}
