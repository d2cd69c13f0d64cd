import type { Finding } from '#core/episode';
import { runResultRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { loadRun } from './load-run.ts';

export interface FindingQuery {
  readonly run_id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * What concerns a run's recordings as a whole: of listing them, of its layers, then in the order of its datasets. All of it
 * once the run is done.
 */
export async function listRunFindings(
  store: Store,
  call: Call,
  { run_id, limit, cursor }: FindingQuery,
): Promise<Page<Finding>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const run = await loadRun(scope, run_id);
  const from = Number(readCursor(cursor, /^\d{1,9}$/) ?? 0);
  const work = { database: store.database, tenant_id: scope.tenant_id, run_id };
  const own = [...run.findings, ...run.layer_findings];
  const rows = await runResultRows.pageFindings(work, own, { from, limit: limit + 1 });
  return pageOfRows(
    rows,
    limit,
    () => String(from + limit),
    (finding) => finding,
  );
}
