import type { AnnotationCoverage } from '#core/api';
import { inputRows, type StatusInputs, type Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { coverageView } from './status-views.ts';

/** How far each annotation layer has come with each kind of a project’s data. Throws `not_found`. */
export async function getAnnotationCoverage(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<AnnotationCoverage> {
  requireRole(call, 'viewer');
  const text = await inputRows.readStatusInputs(store.database, call.actor.tenant_id, project_id);
  if (text === null) throw noProject();
  return coverageView(JSON.parse(text) as StatusInputs);
}
