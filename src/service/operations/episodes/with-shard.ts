import { AssayError } from '#core';
import type { ShardPlace } from '#engine';
import type { episodeRows, Store } from '#store';

/** Has an episode's shard at hand as a local file meanwhile. Throws `not_found` where its numbers were not kept. */
export async function withShard<Answer>(
  { blobs }: Pick<Store, 'blobs'>,
  { shard_blob, shard_place }: Pick<episodeRows.EpisodeRow, 'shard_blob' | 'shard_place'>,
  work: (shard: ShardPlace) => Promise<Answer>,
): Promise<Answer> {
  if (shard_blob === null || shard_place === null)
    throw new AssayError('not_found', 'the numbers of this episode were not kept', {
      advice: 'run its source again',
    });
  const file = await blobs.file(shard_blob);
  try {
    return await work({ path: file.path, place: shard_place });
  } finally {
    await file.done();
  }
}
