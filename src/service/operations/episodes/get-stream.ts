import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { frameService } from './frames/frame-service.ts';
import { loadEpisode } from './load-episode.ts';
import { withShard } from './with-shard.ts';

export interface StreamQuery {
  readonly episode_id: string;
  readonly stream_id: string;
  readonly width_px: number;
  readonly from_s?: number | undefined;
  readonly to_s?: number | undefined;
  readonly dimension?: readonly number[] | undefined;
}

/** A stream's numbers as JSON, in columns that keep every extreme. Throws `not_found`, `invalid_request`, `busy`. */
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
