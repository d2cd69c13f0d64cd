import { AssayError } from '#core';
import { exportFileKey, lineageFile } from '#engine';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { demandWritten } from './export-files.ts';
import { type ExportPath, loadExport } from './load-export.ts';

/** An export's lineage as it lies in it, and its seal. Throws `not_found`, `not_ready`. */
export async function getExportLineage(
  store: Store,
  call: Call,
  path: ExportPath,
): Promise<{ readonly json: Uint8Array; readonly seal: string }> {
  requireRole(call, 'viewer');
  const row = await loadExport(store, call, path);
  if (row.certification !== null)
    throw new AssayError('not_found', 'a certified bundle has a manifest and no lineage', {
      advice: 'GET /v1/projects/{project_id}/exports/{export_id}/files/manifest.json',
    });
  const { blob_prefix, seal } = demandWritten(row);
  return { json: await store.blobs.get(exportFileKey(blob_prefix, lineageFile)), seal };
}
