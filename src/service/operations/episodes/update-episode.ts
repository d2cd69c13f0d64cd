import type { Episode } from '#core/api';
import { episodeRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { getEpisode } from './get-episode.ts';
import { noEpisode } from './views.ts';

export interface EpisodeUpdate {
  readonly episode_id: string;
  readonly tags: readonly string[];
}

/** Puts tags in place of an episode's; the same ones change nothing. Throws `not_found`. */
export async function updateEpisode(
  store: Store,
  call: Call,
  { episode_id, tags: given }: EpisodeUpdate,
): Promise<Episode> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  const tags = [...new Set(given)].sort();
  await store.database.transaction(async () => {
    const episode = await episodeRows.lockEpisode(scope, episode_id);
    if (episode === null) throw noEpisode();
    if (JSON.stringify(episode.tags) === JSON.stringify(tags)) return;
    await episodeRows.setTags(scope, { episode_id, tags, now: call.now });
    await appendAudit(store, call, {
      action: 'update_episode',
      object_type: 'episode',
      object_id: episode_id,
      before: { tags: episode.tags },
      after: { tags },
      detail: { project_id: episode.project_id, from: episode.tags, to: tags },
    });
  });
  return getEpisode(store, call, { episode_id });
}
