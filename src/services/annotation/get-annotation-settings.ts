import type { AnnotationSettings } from '#contract';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { annotationView } from './views.ts';

/** The annotation layers as they are in effect for a project. Throws `not_found`. */
export async function getAnnotationSettings(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<AnnotationSettings> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  return annotationView(store, scope, project);
}
