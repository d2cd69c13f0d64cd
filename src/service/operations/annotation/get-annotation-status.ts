import type { AnnotationStatus } from '#core/api';
import { recentInventory } from '#labels/models';
import { inputRows, type StatusInputs, type Store } from '#store';
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
  const [text, inventory] = await Promise.all([
    inputRows.readStatusInputs(store.database, call.actor.tenant_id, project_id),
    recentInventory(store.data_folder),
  ]);
  if (text === null) throw noProject();
  return statusView(store, JSON.parse(text), inventory);
}

const kept = keptByStore<StatusInputs, AnnotationStatus>();

/** The same as its JSON, for who asks often; not from within a transaction, whose writes it would not see. */
export async function readAnnotationStatus(
  store: Store,
  call: Call,
  { project_id }: OfProject,
): Promise<Written<AnnotationStatus>> {
  requireRole(call, 'viewer');
  const { tenant_id } = call.actor;
  const inventory = await recentInventory(store.data_folder);
  const answer = await kept(store).answer(`${tenant_id} ${project_id}`, {
    stored: () => inputRows.readStatusInputs(store.database, tenant_id, project_id),
    beside: inventory,
    make: (stored) => statusView(store, stored, inventory),
  });
  if (answer === null) throw noProject();
  return answer;
}
