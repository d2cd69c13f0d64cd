import { type ExportRow, exportRows, type Store } from '#store';
import { straggling_s } from '../straggling.ts';
import { settleExport } from './export-budget.ts';
import { refOfExport } from './export-ref.ts';

/**
 * Ends an export that is held: what it took is charged, the rest of what was reserved is given back, and what workers
 * that were cut off have left in the blob store is deleted a while after.
 */
export async function endExport(
  store: Pick<Store, 'database' | 'queue'>,
  row: ExportRow,
  end: Partial<ExportRow> & Pick<ExportRow, 'status' | 'error'>,
): Promise<ExportRow> {
  const { sql } = store.database;
  await settleExport(store, { ...row, ...end });
  await store.queue.send('export_steps', [{ ...refOfExport(row), step: 'sweep' }], {
    after_s: straggling_s,
  });
  return exportRows.updateExport({ sql, tenant_id: row.tenant_id }, row.id, {
    ...end,
    reservation_id: null,
    waiting: null,
    finished_at: new Date(),
  });
}
