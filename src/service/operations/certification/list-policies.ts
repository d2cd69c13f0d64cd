import type { SavedPolicy } from '#core/api';
import { policyRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { savedPolicyOf } from './views.ts';

/** Versions of a project's policy, newest first. Throws `not_found`. */
export async function listCertificationPolicies(
  store: Store,
  call: Call,
  {
    project_id,
    limit,
    cursor,
  }: { readonly project_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<SavedPolicy>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(cursor, /^[1-9]\d{0,8}$/);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const page = { project_id, before: before === null ? null : Number(before), limit: limit + 1 };
  const rows = await policyRows.listPolicies(scope, page);
  return pageOfRows(rows, limit, ({ version }) => String(version), savedPolicyOf);
}
