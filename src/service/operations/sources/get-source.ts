import type { Source } from '#core/api';
import { type Store, sourceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noSource, sourceOf } from './views.ts';

/** One source. Throws `not_found`. */
export async function getSource(
  store: Store,
  call: Call,
  { source_id }: { readonly source_id: string },
): Promise<Source> {
  requireRole(call, 'viewer');
  const row = await sourceRows.getSource(scopeOf(store, call), source_id);
  if (row === null) throw noSource();
  return sourceOf(row);
}
