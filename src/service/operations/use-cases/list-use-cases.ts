import type { UseCase } from '#core/api';
import { useCases } from '#quality/catalog';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import type { Page } from '../page.ts';
import { type PageQuery, pageOfRegistry } from './page-of-registry.ts';
import { useCaseOf } from './views.ts';

/** The use cases that a workspace can declare. */
export async function listUseCases(_store: Store, call: Call, query: PageQuery): Promise<Page<UseCase>> {
  requireRole(call, 'viewer');
  return pageOfRegistry(useCases.rows, query, useCaseOf);
}
