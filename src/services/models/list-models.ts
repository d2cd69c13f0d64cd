import { findUseCase } from '#catalog';
import type { ModelRegistry } from '#contract';
import { type Call, requireRole } from '../call.ts';
import { surfacesView } from './surface-view.ts';

/** What models are used for, and which are in effect where no project has chosen. */
export function listModels(
  call: Call,
  { use_case }: { readonly use_case?: string | undefined },
): ModelRegistry {
  requireRole(call, 'viewer');
  const known = use_case === undefined ? null : (findUseCase(use_case)?.id ?? null);
  return { items: surfacesView({ use_case: known, tenant: {}, project: {}, environment: {} }) };
}
