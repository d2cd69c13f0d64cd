import { idPattern, newId } from '#core';
import type { SupportQuery } from '#core/api';
import { projectRows, type Store, supportRows } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

/** A support query to store. */
export interface NewSupportQuery {
  readonly subject: string;
  readonly message: string;
  readonly project_id?: string | undefined;
}

/** Stores and audits a support query for the operators of the service, and returns it. Throws `not_found` for the project. */
export async function raiseSupportQuery(
  store: Store,
  call: Call,
  { subject, message, project_id }: NewSupportQuery,
): Promise<SupportQuery> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = {
    ...{ tenant_id: scope.tenant_id, id: newId('sup'), project_id: project_id ?? null, subject, message },
    ...{ status: 'open' as const, created_at: call.now, created_by: actorId(call) },
  };
  return store.database.transaction(async () => {
    if (project_id !== undefined && (await projectRows.getProject(scope, project_id)) === null)
      throw noProject();
    await supportRows.insertSupportQuery(scope, row);
    const query = supportQueryOf(row);
    await appendAudit(store, call, {
      action: 'raise_support_query',
      object_type: 'support_query',
      object_id: row.id,
      before: null,
      after: query,
      detail: { subject, project_id: row.project_id },
    });
    return query;
  });
}

/** Page of support queries. */
interface SupportListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the tenant's support queries, newest first. */
export async function listSupportQueries(
  store: Store,
  call: Call,
  { limit, cursor }: SupportListQuery,
): Promise<Page<SupportQuery>> {
  requireRole(call, 'viewer');
  const before = readCursor(cursor, idPattern('sup'));
  const rows = await supportRows.listSupportQueries(scopeOf(store, call), { before, limit: limit + 1 });
  return pageOfRows(rows, limit, ({ id }) => id, supportQueryOf);
}

/** Converts a support query row to the API view. */
function supportQueryOf({ tenant_id, created_at, ...row }: supportRows.SupportQueryRow): SupportQuery {
  return { ...row, created_at: created_at.toISOString() };
}
