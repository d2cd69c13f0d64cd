import { noRun } from '#engine';
import { type RunRow, runRows, type TenantScope } from '#store';

/** A run of the tenant. Throws `not_found`. */
export async function loadRun(scope: TenantScope, run_id: string): Promise<RunRow> {
  const row = await runRows.getRun(scope, run_id);
  if (row === null) throw noRun();
  return row;
}
