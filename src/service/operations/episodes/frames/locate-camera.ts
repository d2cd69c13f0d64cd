import type { episodeRows, Store } from '#store';
import { readReceipt } from '../read-receipt.ts';
import { withShard } from '../with-shard.ts';
import type { FrameService, LocatedCamera } from './frame-service.ts';

/** Finds out, once for a receipt, where a camera's pictures lie and when they were taken. Throws `not_found`. */
export async function locateCamera(
  store: Store,
  frames: FrameService,
  { episode, receipt }: episodeRows.EpisodeWithReceipt,
  stream_id: string,
): Promise<LocatedCamera> {
  const key = `${receipt.tenant_id} ${receipt.id} ${stream_id}`;
  const known = frames.cameras.get(key);
  if (known !== undefined) return known;
  const camera = await withShard(store, episode, (shard) =>
    frames.readers.do({ type: 'camera', shard, stream_id }),
  );
  const { sources } = await readReceipt(store, receipt);
  const located = { camera, bytes_of: new Map(sources.map(({ path, bytes }) => [path, bytes])) };
  frames.cameras.put(key, located);
  return located;
}
