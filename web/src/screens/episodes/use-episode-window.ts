import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import type { EpisodeSummary } from '#client';
import type { Selection } from './use-selection.ts';

interface EpisodeList {
  readonly items: readonly EpisodeSummary[];
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export interface EpisodeListProps {
  readonly project_id: string;
  readonly list: EpisodeList;
  /** Number of episodes, loaded or not. */
  readonly total: number;
  readonly selection: Selection;
}

interface WindowOptions extends Pick<EpisodeListProps, 'list' | 'total'> {
  /** The element that holds the rows. */
  readonly body: RefObject<HTMLDivElement | null>;
  readonly row_px: number;
  /** Episodes per row. */
  readonly lanes: number;
  /** Rows rendered beyond the visible ones. */
  readonly overscan: number;
}

interface EpisodeWindow {
  /** Number of episodes known so far. */
  readonly known: number;
  readonly top_px: number;
  readonly rows: Virtualizer<Window, Element>;
}

/** Virtualises an episode list: returns the visible rows and loads the next page when scrolling near its end. */
export function useEpisodeWindow({
  body,
  list,
  total,
  row_px,
  lanes,
  overscan,
}: WindowOptions): EpisodeWindow {
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const [top_px, setTop] = useState(0);
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [body]);
  const known = hasNextPage ? Math.max(total, items.length) : items.length;
  const rows = useWindowVirtualizer({
    count: Math.ceil(known / lanes),
    estimateSize: () => row_px,
    overscan,
    scrollMargin: top_px,
  });
  const last = ((rows.getVirtualItems().at(-1)?.index ?? 0) + 1) * lanes;
  useEffect(() => {
    if (last >= items.length - 40 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, items.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { known, top_px, rows };
}
