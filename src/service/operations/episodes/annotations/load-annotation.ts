import { AssayError } from '#core';
import type { EpisodeAnnotation } from '#core/api';
import { annotationRows, episodeRows, type Store, type TenantScope } from '#store';
import { readArtifact } from './read-artifact.ts';
import { annotationFacts, type EpisodeLayer, editOf } from './views.ts';

/** What is there of a layer on an episode; both null where nothing is. Throws `not_found` for no episode of the project. */
export async function loadAnnotation(
  store: Store,
  scope: TenantScope,
  of: EpisodeLayer,
): Promise<EpisodeAnnotation> {
  const { episode_id, layer } = of;
  await demandEpisode(scope, of);
  const row = await annotationRows.getAnnotation(scope, episode_id, layer);
  const edit = await annotationRows.latestEdit(scope, episode_id, layer);
  return {
    episode_id,
    layer,
    machine: row === null ? null : { ...annotationFacts(row), artifact: await readArtifact(store, row) },
    edit: edit === null ? null : editOf(edit),
  };
}

/** Throws `not_found` where the project has no such episode. */
export async function demandEpisode(
  scope: TenantScope,
  of: Pick<EpisodeLayer, 'project_id' | 'episode_id'>,
): Promise<void> {
  if (!(await episodeRows.isOfProject(scope, of))) throw notOfProject();
}

/** For an absent episode, another project's and another tenant's alike. */
export const notOfProject = (): AssayError =>
  new AssayError('not_found', 'there is no episode of this id in the project', {
    advice: 'GET /v1/projects/{project_id}/episodes lists them',
  });
