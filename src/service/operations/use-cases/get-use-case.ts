import { AssayError } from '#core';
import type { UseCase } from '#core/api';
import { findUseCase } from '#quality/catalog';
import type { Store } from '#store';
import { type Call, requireRole } from '../call.ts';
import { useCaseOf } from './views.ts';

/** One use case, also by a former id. Throws `not_found`. */
export async function getUseCase(
  _store: Store,
  call: Call,
  { use_case_id }: { readonly use_case_id: string },
): Promise<UseCase> {
  requireRole(call, 'viewer');
  const row = findUseCase(use_case_id);
  if (row === undefined)
    throw new AssayError('not_found', 'there is no use case of this id', {
      advice: 'GET /v1/use-cases lists them',
    });
  return useCaseOf(row);
}
