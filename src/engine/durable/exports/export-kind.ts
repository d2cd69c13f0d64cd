import { type ExportRow, exportRows } from '#store';
import type { WorkKind } from '../engine.ts';
import { withWork } from '../held-work.ts';
import { endExport } from './end-export.ts';
import type { ExportRef } from './export-ref.ts';

/** Exports: begun, held, told of and ended alike by every step. */
export const exportKind: WorkKind<ExportRef, ExportRow> = {
  noun: 'export',
  tryAgain: 'export again',
  keyOf: ({ export_id }) => export_id,
  read: (scope, { export_id }) => exportRows.getExport(scope, export_id),
  lock: (scope, { export_id }) => exportRows.lockExport(scope, export_id),
  stateOf: ({ status }) => (status === 'queued' || status === 'running' ? status : 'over'),
  start: ({ database }, row, now) =>
    exportRows.updateExport({ sql: database.sql, tenant_id: row.tenant_id }, row.id, {
      status: 'running',
      started_at: now,
    }),
  setWaiting: ({ database }, row, waiting) =>
    exportRows.updateExport({ sql: database.sql, tenant_id: row.tenant_id }, row.id, { waiting }),
  fail: async ({ store }, _, row, error) => {
    await endExport(store, row, { status: 'failed', error });
  },
  gone: exportRows.goneExports,
  tellProgress: async (engine, ref) => {
    const { sql } = engine.store.database;
    const { episodes } = engine.watch.underWay('export', ref.export_id);
    await withWork(engine, exportKind, ref, (row) =>
      exportRows.updateExport({ sql, tenant_id: ref.tenant_id }, ref.export_id, {
        written: Math.min(row.kept, episodes),
        progress_at: new Date(),
      }),
    );
  },
};
