import type { AnnotationSettings } from '#core/api';
import { recentInventory } from '#labels/models';
import { type AnnotationInputs, inputRows, type Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { noProject } from '../projects/views.ts';
import type { Written } from '../written.ts';
import { keptByStore } from './kept-answers.ts';
import { settingsView } from './views.ts';

interface OfProject {
  readonly project_id: string;
}

/** The annotation layers as they are in effect for a project. Throws `not_found`. */
export async function getAnnotationSettings(
  store: Store,
  call: Call,
  { project_id }: OfProject,
): Promise<AnnotationSettings> {
  requireRole(call, 'viewer');
  const [text, inventory] = await Promise.all([
    inputRows.readInputs(store.database, call.actor.tenant_id, project_id),
    recentInventory(store.data_folder),
  ]);
  if (text === null) throw noProject();
  return settingsView(store, JSON.parse(text), inventory);
}

const kept = keptByStore<AnnotationInputs, AnnotationSettings>();

/** The same as its JSON, for who asks often; not from within a transaction, whose writes it would not see. */
export async function readAnnotationSettings(
  store: Store,
  call: Call,
  { project_id }: OfProject,
): Promise<Written<AnnotationSettings>> {
  requireRole(call, 'viewer');
  const { tenant_id } = call.actor;
  const inventory = await recentInventory(store.data_folder);
  const answer = await kept(store).answer(`${tenant_id} ${project_id}`, {
    stored: () => inputRows.readInputs(store.database, tenant_id, project_id),
    beside: inventory,
    make: (stored) => settingsView(store, stored, inventory),
  });
  if (answer === null) throw noProject();
  return answer;
}
