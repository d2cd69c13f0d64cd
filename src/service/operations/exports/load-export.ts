import { noExport } from '#engine';
import { type ExportRow, exportRows, type Store } from '#store';
import { type Call, scopeOf } from '../call.ts';

export interface ExportPath {
  readonly project_id: string;
  readonly export_id: string;
}

/** An export of a project of the tenant. Throws `not_found`. `lock` keeps it as it is until the transaction ends. */
export async function loadExport(
  store: Store,
  call: Call,
  { project_id, export_id }: ExportPath,
  lock = false,
): Promise<ExportRow> {
  const read = lock ? exportRows.lockExport : exportRows.getExport;
  const row = await read(scopeOf(store, call), export_id);
  if (row === null || row.project_id !== project_id) throw noExport();
  return row;
}
