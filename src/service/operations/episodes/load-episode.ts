import { episodeRows, type TenantScope } from '#store';
import { noEpisode } from './views.ts';

/** An episode of the tenant with its current receipt. Throws `not_found`. */
export async function loadEpisode(
  scope: TenantScope,
  episode_id: string,
): Promise<episodeRows.EpisodeWithReceipt> {
  const found = await episodeRows.getEpisode(scope, episode_id);
  if (found === null) throw noEpisode();
  return found;
}
