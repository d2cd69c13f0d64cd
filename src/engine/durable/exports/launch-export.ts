import { type ExportRow, exportRows, type Store } from '#store';
import { plannedExportSeconds, reserveForExport } from './export-budget.ts';
import { refOfExport } from './export-ref.ts';

/**
 * Puts aside what an export that was added is expected to cost and queues it, in the transaction that added it. Throws
 * `budget_exceeded`.
 */
export async function launchExport(store: Store, row: ExportRow): Promise<ExportRow> {
  const { bytes, episodes } = await exportRows.judgedBytes(store.database, row);
  const own = episodes === 0 ? 0 : (bytes / episodes) * row.kept;
  const reserved = await reserveForExport(store, row, plannedExportSeconds(row.kept, own));
  const scope = { sql: store.database.sql, tenant_id: row.tenant_id };
  const launched = await exportRows.updateExport(scope, row.id, reserved);
  await store.queue.send('export_steps', [{ ...refOfExport(row), step: 'export' }]);
  return launched;
}
