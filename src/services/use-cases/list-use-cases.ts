import { showUseCase, useCases } from '#catalog';
import type { UseCase } from '#contract';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import type { Page } from '../page.ts';
import { isReadable } from './is-readable.ts';
import { type PageQuery, pageOfRegistry } from './page-of-registry.ts';

/** The use cases that a workspace can declare. */
export async function listUseCases(_store: Store, call: Call, query: PageQuery): Promise<Page<UseCase>> {
  requireRole(call, 'viewer');
  return pageOfRegistry(useCases.rows, query, (row) => showUseCase(row, isReadable));
}
