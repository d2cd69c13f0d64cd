import {
  type InfiniteData,
  replaceEqualDeep,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { OperationId, Operations, Page } from '#client';
import { client } from './client.ts';

interface Asking {
  /** Whether to send the request. Default true. */
  readonly when?: boolean;
  /** Interval in ms between refetches while the page is visible. */
  readonly every_ms?: number;
  /** Time in ms for which a loaded answer is not fetched again. Default 2 seconds. */
  readonly stale_ms?: number;
  /** Version of the answer, if another one tells it: with another version it is fetched again. */
  readonly version?: string | undefined;
}

/** Refetch interval in ms for data that other users change, so that changes appear within two seconds. */
export const others_ms = 1500;

/** Returns the answer of an operation, refetched when an action on this page may have changed it. */
export function useAnswer<Id extends OperationId>(
  id: Id,
  input: Operations[Id]['input'],
  { when = true, every_ms, stale_ms, version }: Asking = {},
): UseQueryResult<Operations[Id]['answer']> {
  return useQuery({
    queryKey: version === undefined ? [id, input] : [id, input, version],
    enabled: when,
    refetchInterval: every_ms ?? false,
    ...(stale_ms === undefined ? {} : { staleTime: stale_ms }),
    placeholderData: (before) => before as never,
    queryFn: async ({ signal }) => (await client.ask(id, input, { signal })).value,
  });
}

/** Operations that return lists. */
type ListId = {
  [Id in OperationId]: Operations[Id]['answer'] extends Page<unknown> ? Id : never;
}[OperationId];
type Item<Id extends ListId> = Operations[Id]['answer'] extends Page<infer Each> ? Each : never;

interface ListAsking extends Pick<Asking, 'when'> {
  /** Interval in ms between refetches, or a function of the number of loaded rows. */
  readonly every_ms?: number | ((rows: number) => number);
  /** Rows per page after the first page, whose size is in the input; larger pages make long scrolls faster. */
  readonly next_limit?: number;
}

const rowsOf = <Row>({ pages }: InfiniteData<Page<Row>>): readonly Row[] =>
  pages.flatMap(({ items }) => items);

/** Keeps unchanged pages identical, so that rows do not have to be compared each time a page arrives. */
const sameWhereEqual = (before: unknown, now: unknown): unknown =>
  Array.isArray(now) ? now : replaceEqualDeep(before, now);

/** Returns a list, loaded page by page as the user scrolls. */
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
