import { AssayError } from '#core';
import type { OntologySummary } from '#core/api';
import { curationRows, ontologyRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { summariseClasses } from './summarise.ts';

/** Episodes whose labels are counted in one answer. */
const mostEpisodes = 100_000;

/** Classes that were found, held against those that the workspace declares. Throws `not_found`, `limit_exceeded`. */
export async function getOntologySummary(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<OntologySummary> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const { declared } = await ontologyRows.getOntology(scope, project.workspace_id);
  const { renames } = await ontologyRows.getOntology(scope, project_id);
  const episodes = await curationRows.listFacts(scope, project_id, mostEpisodes + 1);
  if (episodes.length > mostEpisodes)
    throw new AssayError('limit_exceeded', 'the project has more episodes than are summed up at once', {
      advice: 'split the project by source population',
    });
  return {
    project_id,
    workspace_id: project.workspace_id,
    classes: summariseClasses(episodes, declared, renames),
    declared: [...declared],
    renames: { ...renames },
    episodes: episodes.length,
    episodes_with_labels: episodes.filter(({ objects }) => objects.length > 0).length,
    limits: ['labels that the recordings carry; classes that annotation layers found are not counted here'],
  };
}
