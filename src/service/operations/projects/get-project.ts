import type { Project } from '#core/api';
import { projectCountRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject, projectOf } from './views.ts';

/** One project with its kind and counts. Throws `not_found`. */
export async function getProject(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<Project> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await projectRows.getProject(scope, project_id);
  if (row === null) throw noProject();
  return projectOf(row, await projectCountRows.countEpisodes(scope, [project_id]));
}
