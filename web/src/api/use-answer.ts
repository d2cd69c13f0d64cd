import type { OperationId, Operations, Page } from '@assay/client';
import {
  type InfiniteData,
  replaceEqualDeep,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { client } from './client.ts';

interface Asking {
  /** False: not asked yet. */
  readonly when?: boolean;
  /** Asked again after so long while the page is in front. */
  readonly every_ms?: number;
}

/** How often a page asks again for what other people decide meanwhile: they are seen within two seconds. */
export const others_ms = 1500;

/** What an operation answers; asked again when something that this page did may have changed it. */
export function useAnswer<Id extends OperationId>(
  id: Id,
  input: Operations[Id]['input'],
  { when = true, every_ms }: Asking = {},
): UseQueryResult<Operations[Id]['answer']> {
  return useQuery({
    queryKey: [id, input],
    enabled: when,
    refetchInterval: every_ms ?? false,
    placeholderData: (before) => before as never,
    queryFn: async ({ signal }) => (await client.ask(id, input, { signal })).value,
  });
}

/** Operations that answer lists. */
type ListId = {
  [Id in OperationId]: Operations[Id]['answer'] extends Page<unknown> ? Id : never;
}[OperationId];
type Item<Id extends ListId> = Operations[Id]['answer'] extends Page<infer Each> ? Each : never;

interface ListAsking extends Pick<Asking, 'when'> {
  /** The same; where it depends, by the rows that were loaded. */
  readonly every_ms?: number | ((rows: number) => number);
  /** Rows of every page but the first, whose number the input says: who scrolls far waits for fewer pages. */
  readonly next_limit?: number;
}

const rowsOf = <Row>({ pages }: InfiniteData<Page<Row>>): readonly Row[] =>
  pages.flatMap(({ items }) => items);

/** Keeps what is the same of the pages. Their rows are made of those, and too many to compare each time a page comes. */
const sameWhereEqual = (before: unknown, now: unknown): unknown =>
  Array.isArray(now) ? now : replaceEqualDeep(before, now);

/** A list, page by page, as far as somebody looked. */
export function useList<Id extends ListId>(
  id: Id,
  input: Omit<Operations[Id]['input'], 'cursor'>,
  { when = true, every_ms, next_limit }: ListAsking = {},
): UseInfiniteQueryResult<readonly Item<Id>[]> & { readonly items: readonly Item<Id>[] } {
  const result = useInfiniteQuery({
    queryKey: [id, input],
    enabled: when,
    refetchInterval:
      typeof every_ms === 'function'
        ? ({ state }) => every_ms(state.data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0)
        : (every_ms ?? false),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }: Page<Item<Id>>) => next_cursor ?? undefined,
    queryFn: async ({ signal, pageParam }) => {
      const next = next_limit === undefined ? {} : { limit: next_limit };
      const asked = { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam, ...next }) };
      return (await client.ask(id, asked as Operations[Id]['input'], { signal })).value as Page<Item<Id>>;
    },
    select: rowsOf<Item<Id>>,
    structuralSharing: sameWhereEqual,
  });
  return { ...result, items: result.data ?? [] };
}
