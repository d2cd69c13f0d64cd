import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { SearchAnswer, SearchQueryInput } from '#client';
import { client } from '../../api/client.ts';

/**
 * Returns the results of a search, loaded page by page; the first page also has the parsed query and its coverage.
 */
export function useSearch(project_id: string, query: SearchQueryInput) {
  const result = useInfiniteQuery({
    queryKey: ['search_episodes', { project_id, ...query }],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }: SearchAnswer) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam: cursor }) => {
      const asked = { project_id, ...query, limit: 50, ...(cursor === undefined ? {} : { cursor }) };
      return (await client.ask('search_episodes', asked, { signal })).value;
    },
  });
  const pages = result.data?.pages ?? [];
  return { ...result, first: pages[0], items: pages.flatMap(({ items }) => items) };
}
