import type { EpisodeSummary } from '#contract';
import type { Store } from '#store';
import type { Call } from '../call.ts';
import { listEpisodes } from './list-episodes.ts';

/** The episode of a project with the lowest score; one without a score counts as worse than any. Throws `not_found`. */
export async function getWorstEpisode(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<{ episode: EpisodeSummary | null }> {
  const { items } = await listEpisodes(store, call, { project_id, sort: 'score', limit: 1 });
  return { episode: items[0] ?? null };
}
