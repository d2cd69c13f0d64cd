import type { ModelRegistry } from '#core/api';
import { findUseCase } from '#quality/catalog';
import { type Store, tenantModelRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { registryView } from './surface-view.ts';

export interface ModelQuery {
  readonly use_case?: string | undefined;
}

/** What models are used for, and which are in effect where no project has chosen. */
export async function listModels(store: Store, call: Call, { use_case }: ModelQuery): Promise<ModelRegistry> {
  requireRole(call, 'viewer');
  const known = use_case === undefined ? null : (findUseCase(use_case)?.id ?? null);
  const found = await tenantModelRows.getTenantModels(scopeOf(store, call));
  return registryView(store, found?.models, known);
}
