import { AssayError, idPattern } from '#core';
import type { Failure, FailureImport, FailureVerdict } from '#core/api';
import { type FailureImportRow, type FailureRow, failureRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

/** Filters and page of a project's failures. */
export interface FailureList {
  readonly project_id: string;
  readonly import_id?: string | undefined;
  readonly verdict?: FailureVerdict | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists a project's failures, newest first. Throws `not_found`. */
export async function listFailures(
  store: Store,
  call: Call,
  { project_id, import_id = undefined, verdict, limit, cursor }: FailureList,
): Promise<Page<Failure>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(cursor, idPattern('fai'));
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const rows = await failureRows.listFailures(scope, {
    project_id,
    import_id: import_id ?? null,
    verdict: verdict ?? null,
    before,
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, ({ id }) => id, failureOf);
}

/** Ids that name a failure import. */
export interface ImportKey {
  readonly project_id: string;
  readonly import_id: string;
}

/** Returns a failure import with its counts. Throws `not_found`. */
export async function getFailureImport(store: Store, call: Call, key: ImportKey): Promise<FailureImport> {
  requireRole(call, 'viewer');
  const row = await failureRows.getImport(scopeOf(store, call), key);
  if (row === null) throw noImport();
  return importOf(row);
}

/** Converts an import row to the API view. */
export function importOf({ tenant_id: _, created_at, ...row }: FailureImportRow): FailureImport {
  return { ...row, created_at: created_at.toISOString() };
}

/** Converts a failure row to the API view, without its descriptor. */
function failureOf(row: FailureRow): Failure {
  const { tenant_id: _, project_id: __, layout: ___, vector: ____, occurred_at, nearest, ...shown } = row;
  return {
    ...shown,
    occurred_at: occurred_at?.toISOString() ?? null,
    nearest: nearest.map((near) => ({ ...near })),
  };
}

/** Returns the error `not_found`, the same whether the import is missing or belongs to another project or tenant. */
export const noImport = (): AssayError =>
  new AssayError('not_found', 'failure import not found in the project', {
    advice: 'GET /v1/projects/{project_id}/failures lists the import of each failure',
  });
