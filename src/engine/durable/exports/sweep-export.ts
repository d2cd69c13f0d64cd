import { exportRows, sweepOrphans } from '#store';
import type { Engine } from '../engine.ts';
import { type ExportRef, exportPrefix } from './export-ref.ts';

/**
 * After an export has ended or was deleted: deletes what is there of it and was written before, but for what its row
 * names. Nothing of it can be committed any more.
 */
export async function sweepExport(engine: Engine, ref: ExportRef, written_before: Date): Promise<void> {
  const { database, blobs } = engine.store;
  const row = await exportRows.getExport({ sql: database.sql, tenant_id: ref.tenant_id }, ref.export_id);
  if (row !== null && (row.status === 'queued' || row.status === 'running')) return;
  const named = row?.blob_prefix ?? null;
  await sweepOrphans(blobs, {
    prefix: `${exportPrefix(ref)}/`,
    written_before,
    known: async (keys) => new Set(named === null ? [] : keys.filter((key) => key.startsWith(`${named}/`))),
  });
}
