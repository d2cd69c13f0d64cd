import type { Export } from '#core/api';
import { exportOf } from '#engine';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { type ExportPath, loadExport } from './load-export.ts';

/** One export. Throws `not_found`. */
export async function getExport(store: Store, call: Call, path: ExportPath): Promise<Export> {
  requireRole(call, 'viewer');
  return exportOf(await loadExport(store, call, path));
}
