import type { FailureImport } from '#core/api';
import { failureRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { importOf, noImport } from './views.ts';

export interface ImportKey {
  readonly project_id: string;
  readonly import_id: string;
}

/** An import with its counts. Throws `not_found`. */
export async function getFailureImport(store: Store, call: Call, key: ImportKey): Promise<FailureImport> {
  requireRole(call, 'viewer');
  const row = await failureRows.getImport(scopeOf(store, call), key);
  if (row === null) throw noImport();
  return importOf(row);
}
