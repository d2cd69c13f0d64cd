import type { Episode } from '#client';
import { client } from '../../api/client.ts';

/** Operations whose answers contain tags. */
export const taggedOperations = ['get_episode', 'list_episodes', 'summarise_project'] as const;

/**
 * Changes the tags of an episode and returns it. Reads them first, because the page may be older than changes of this or
 * another user. Nothing is written if `change` returns the tags themselves.
 */
export async function changeTags(
  episode_id: string,
  change: (tags: readonly string[]) => readonly string[],
): Promise<Episode> {
  const episode = (await client.ask('get_episode', { episode_id })).value;
  const next = change(episode.tags);
  if (next === episode.tags) return episode;
  return (await client.ask('update_episode', { episode_id, tags: [...next] })).value;
}

/** Returns tags with one added. */
export const withTag =
  (tag: string) =>
  (tags: readonly string[]): readonly string[] =>
    tags.includes(tag) ? tags : [...tags, tag];

/** Returns tags without one. */
export const withoutTag =
  (tag: string) =>
  (tags: readonly string[]): readonly string[] =>
    tags.includes(tag) ? tags.filter((each) => each !== tag) : tags;
