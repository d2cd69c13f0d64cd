import type { TargetProfile } from '#core/api';
import { targetProfiles } from '#quality/catalog';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import type { Page } from '../page.ts';
import { type PageQuery, pageOfRegistry } from './page-of-registry.ts';

/** The targets that a project can declare. */
export async function listTargetProfiles(
  _store: Store,
  call: Call,
  query: PageQuery,
): Promise<Page<TargetProfile>> {
  requireRole(call, 'viewer');
  return pageOfRegistry(targetProfiles.rows, query, (row) => row);
}
