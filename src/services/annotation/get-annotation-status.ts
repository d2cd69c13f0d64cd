import type { AnnotationStatus } from '#contract';
import { groundRows, type StatusGround, type Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { noProject } from '../projects/views.ts';
import type { Written } from '../written.ts';
import { keptByStore } from './kept-answers.ts';
import { statusView } from './status-views.ts';

interface OfProject {
  readonly project_id: string;
}

/** How each annotation layer of a project stands. Throws `not_found`. */
export async function getAnnotationStatus(
  store: Store,
  call: Call,
  { project_id }: OfProject,
): Promise<AnnotationStatus> {
  requireRole(call, 'viewer');
  const text = await groundRows.readStatusGround(store.database, call.actor.tenant_id, project_id);
  if (text === null) throw noProject();
  return statusView(JSON.parse(text));
}

const kept = keptByStore<StatusGround, AnnotationStatus>();

/** The same as its JSON, for who asks often; not from within a transaction, whose writes it would not see. */
export async function readAnnotationStatus(
  store: Store,
  call: Call,
  { project_id }: OfProject,
): Promise<Written<AnnotationStatus>> {
  requireRole(call, 'viewer');
  const { tenant_id } = call.actor;
  const answer = await kept(store).answer(`${tenant_id} ${project_id}`, {
    stored: () => groundRows.readStatusGround(store.database, tenant_id, project_id),
    beside: null,
    make: statusView,
  });
  if (answer === null) throw noProject();
  return answer;
}
