import type { EpisodeStream } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { Page } from '../page.ts';
import { loadEpisode } from './load-episode.ts';
import { readReceipt } from './read-receipt.ts';

/** An episode's streams as its receipt has them. Throws `not_found`. */
export async function listStreams(
  store: Store,
  call: Call,
  { episode_id }: { readonly episode_id: string },
): Promise<Page<EpisodeStream>> {
  requireRole(call, 'viewer');
  const { receipt } = await loadEpisode(scopeOf(store, call), episode_id);
  const { streams } = await readReceipt(store, receipt);
  const items = streams.map((stream) => {
    const own = encodeURIComponent(stream.id);
    const pictures = stream.role === 'camera' || stream.role === 'depth';
    const frames = pictures ? `/v1/episodes/${episode_id}/frames/${own}` : null;
    return { ...stream, links: { samples: `/v1/episodes/${episode_id}/streams/${own}`, frames } };
  });
  return { items, next_cursor: null };
}
