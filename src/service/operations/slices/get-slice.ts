import type { Slice } from '#core/api';
import { type Store, sliceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noSlice, sliceOf } from './views.ts';

/** Names a slice of a project. */
export interface SliceKey {
  readonly project_id: string;
  readonly slice_id: string;
}

/** Throws `not_found`. */
export async function getSlice(store: Store, call: Call, key: SliceKey): Promise<Slice> {
  requireRole(call, 'viewer');
  const row = await sliceRows.getSlice(scopeOf(store, call), key);
  if (row === null) throw noSlice();
  return sliceOf(row);
}
