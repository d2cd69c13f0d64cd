import type { ProjectReadinessSettings } from '#core/api';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { settingsView } from './views.ts';

/** The readiness checks as they are in effect for a project. Throws `not_found`. */
export async function getReadinessSettings(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<ProjectReadinessSettings> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  return settingsView(scope, project, []);
}
