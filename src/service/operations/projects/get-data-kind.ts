import type { DataKind } from '#core/api';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { dataKindOf } from './data-kind.ts';
import { noProject } from './views.ts';

/** The kind of a project's data, with evidence. Throws `not_found`. */
export async function getDataKind(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<DataKind> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await projectRows.getProject(scope, project_id);
  if (row === null) throw noProject();
  return dataKindOf(store, scope, row);
}
