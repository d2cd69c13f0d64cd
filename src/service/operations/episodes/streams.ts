import type { EpisodePoses, EpisodeStream } from '#core/api';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { Page } from '../page.ts';
import { loadEpisode, readReceipt, withShard } from './load-episode.ts';
import { frameService } from './media/frame-service.ts';

/** Lists the streams of an episode as its receipt describes them. Throws `not_found`. */
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

/** A window of a stream, with a width in columns. */
export interface StreamQuery {
  readonly episode_id: string;
  readonly stream_id: string;
  readonly width_px: number;
  readonly from_s?: number | undefined;
  readonly to_s?: number | undefined;
  readonly dimension?: readonly number[] | undefined;
}

/**
 * Returns a stream's values as JSON, downsampled to columns that keep every extreme. Throws `not_found`,
 * `invalid_request`, `busy`.
 */
export async function getStream(store: Store, call: Call, query: StreamQuery): Promise<Uint8Array> {
  requireRole(call, 'viewer');
  const { episode } = await loadEpisode(scopeOf(store, call), query.episode_id);
  const { stream_id, width_px, from_s, to_s, dimension } = query;
  return withShard(store, episode, (shard) =>
    frameService(store).readers.do({
      type: 'stream',
      ...{ shard, stream_id, columns: width_px, dimensions: dimension ?? null },
      from: from_s ?? null,
      to: to_s ?? null,
    }),
  );
}

/** An episode, with the maximum number of points per pose. */
interface PosesQuery {
  readonly episode_id: string;
  readonly points: number;
}

/** Returns the poses of an episode, reduced to paths of at most `points` points each. Throws `not_found`, `busy`. */
export async function getPoses(store: Store, call: Call, query: PosesQuery): Promise<EpisodePoses> {
  requireRole(call, 'viewer');
  const { episode, receipt } = await loadEpisode(scopeOf(store, call), query.episode_id);
  const { duration_s } = (await readReceipt(store, receipt)).episode;
  const { points } = query;
  const poses = await withShard(store, episode, (shard) =>
    frameService(store).readers.do({ type: 'poses', shard, duration_s, points }),
  );
  return { poses: [...poses] };
}
