import type { AnnotationStatus } from '#contract';
import { groundRows, type StatusGround, type Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { statusView } from './status-views.ts';

/** How each annotation layer of a project stands. Throws `not_found`. */
export async function getAnnotationStatus(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<AnnotationStatus> {
  requireRole(call, 'viewer');
  const text = await groundRows.readStatusGround(store.database, call.actor.tenant_id, project_id);
  if (text === null) throw noProject();
  return statusView(JSON.parse(text) as StatusGround);
}
