import type { DescribedFailure, ScoredFailures, ScoringOptions } from '#quality/failures';
import { failureRows, type Store, type TenantScope } from '#store';
import { type LoadedEpisodes, loadEpisodes } from '../curation/load-episodes.ts';
import { frameService } from '../episodes/frames/frame-service.ts';
import type { ScoredGaps } from './gap-slice.ts';

/** Holds failures against a project's episodes, in a thread. Throws `busy`, `limit_exceeded`. */
export function scoreInThread(
  store: Store,
  { episodes }: Pick<LoadedEpisodes, 'episodes'>,
  failures: readonly DescribedFailure[],
  options: ScoringOptions,
): Promise<ScoredFailures> {
  const compared = episodes.map(({ id, decision, outcome, task, motion, layouts }) => {
    return {
      ...{ id, decision, outcome, task },
      ...(motion === undefined ? {} : { motion }),
      ...(layouts === undefined ? {} : { layouts }),
    };
  });
  return frameService(store).readers.do({ type: 'score_failures', episodes: compared, failures, options });
}

/** The nearest episodes by their ids. */
export function gapsById(
  { baseline, gaps }: ScoredFailures,
  { ids }: Pick<LoadedEpisodes, 'ids'>,
): ScoredGaps {
  return {
    baseline,
    gaps: gaps.map(({ id, distance }) => ({ episode_id: ids.get(id) ?? id, distance })),
  };
}

/** What an import would come to now: the failures are as they were, the episodes may not be. */
export async function scoreImport(
  store: Store,
  scope: TenantScope,
  {
    project_id,
    import_id,
    ...options
  }: ScoringOptions & { readonly project_id: string; readonly import_id: string },
): Promise<ScoredGaps> {
  const loaded = await loadEpisodes(scope, project_id, { samples: false });
  const names = new Map([...loaded.ids].map(([name, id]) => [id, name]));
  const failures = (await failureRows.failuresOf(scope, import_id)).map((row): DescribedFailure => {
    const { record_id: id, by, layout, reason, vector, episode_id } = row;
    return {
      ...{ id, by, layout, reason },
      vector: vector === null ? null : Float32Array.from(JSON.parse(vector)),
      episode: episode_id === null ? null : (names.get(episode_id) ?? null),
    };
  });
  return gapsById(await scoreInThread(store, loaded, failures, options), loaded);
}
