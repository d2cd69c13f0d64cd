import { AssayError } from '#core';
import type { Receipt } from '#core/api';
import type { ShardLocation } from '#engine';
import { episodeRows, type Store, type TenantScope } from '#store';
import { noEpisode } from './views.ts';

/** Loads an episode of the tenant with its current receipt. Throws `not_found`. */
export async function loadEpisode(
  scope: TenantScope,
  episode_id: string,
): Promise<episodeRows.EpisodeWithReceipt> {
  const found = await episodeRows.getEpisode(scope, episode_id);
  if (found === null) throw noEpisode();
  return found;
}

/** Throws `not_found` naming up to ten episodes that do not belong to the project. */
export async function requireEpisodes(
  { database }: Pick<Store, 'database'>,
  { tenant_id }: TenantScope,
  project_id: string,
  episode_ids: readonly string[],
): Promise<void> {
  if (episode_ids.length === 0) return;
  const { rows } = await database.query(
    `SELECT one AS id FROM unnest($3::text[]) AS one
     WHERE NOT EXISTS (SELECT 1 FROM episodes WHERE tenant_id = $1 AND id = one AND project_id = $2) LIMIT 10`,
    [tenant_id, project_id, episode_ids],
  );
  if (rows.length === 0) return;
  throw new AssayError(
    'not_found',
    `episode not found in the project: ${rows.map(({ id }) => id).join(', ')}`,
    {
      advice: `list the episodes with GET /v1/projects/${project_id}/episodes`,
    },
  );
}

type ReceiptLocation = Pick<episodeRows.ReceiptRow, 'pack_blob' | 'offset' | 'length'>;

/** Returns the bytes of a receipt as it was sealed. */
export function readReceiptBytes(
  { blobs }: Pick<Store, 'blobs'>,
  place: ReceiptLocation,
): Promise<Uint8Array> {
  return blobs.range(place.pack_blob, place.offset, place.length);
}

/**
 * Returns a receipt that is read from the blob store and parsed. It was written by this program and is found by its hash, so
 * it is not validated again.
 */
export async function readReceipt(store: Pick<Store, 'blobs'>, place: ReceiptLocation): Promise<Receipt> {
  return JSON.parse(new TextDecoder().decode(await readReceiptBytes(store, place)));
}

/**
 * Runs `work` with an episode's shard as a local file, and returns its result. Throws `not_found` if its stream data were not
 * stored.
 */
export async function withShard<Answer>(
  { blobs }: Pick<Store, 'blobs'>,
  { shard_blob, shard_place }: Pick<episodeRows.EpisodeRow, 'shard_blob' | 'shard_place'>,
  work: (shard: ShardLocation) => Promise<Answer>,
): Promise<Answer> {
  if (shard_blob === null || shard_place === null)
    throw new AssayError('not_found', 'the stream values of this episode are not stored', {
      advice: 'run its source again',
    });
  const file = await blobs.file(shard_blob);
  try {
    return await work({ path: file.path, place: shard_place });
  } finally {
    await file.done();
  }
}
