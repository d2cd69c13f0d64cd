import { AssayError } from '#core';
import {
  type TargetProfile,
  type TargetProfileId,
  targetProfileIds,
  type UseCase,
  type UseCaseId,
} from '#core/api';
import { readers } from '#formats';
import { presets } from '#labels/annotation';
import { describeUseCase, findUseCase, targetProfiles, type UseCaseRow, useCases } from '#quality/use-cases';
import type { Store } from '#store';
import { type Call, requireRole } from './call.ts';
import { type Page, pageOfRegistry, type RegistryQuery } from './page.ts';

/** Lists the use cases that a workspace can declare, in registry order. */
export async function listUseCases(_store: Store, call: Call, query: RegistryQuery): Promise<Page<UseCase>> {
  requireRole(call, 'viewer');
  return pageOfRegistry(useCases.rows, query, useCaseOf);
}

/** Returns a use case; former ids work too. Throws `not_found`. */
export async function getUseCase(
  _store: Store,
  call: Call,
  { use_case_id }: { readonly use_case_id: string },
): Promise<UseCase> {
  requireRole(call, 'viewer');
  const row = findUseCase(use_case_id);
  if (row === undefined)
    throw new AssayError('not_found', 'use case not found', {
      advice: 'list use cases with GET /v1/use-cases',
    });
  return useCaseOf(row);
}

/** Lists the target profiles that a project can declare, in registry order. */
export async function listTargetProfiles(
  _store: Store,
  call: Call,
  query: RegistryQuery,
): Promise<Page<TargetProfile>> {
  requireRole(call, 'viewer');
  return pageOfRegistry(targetProfiles.rows, query, (row) => row);
}

/** Converts a use case to the API view with details of its presets. */
function useCaseOf(row: UseCaseRow): UseCase {
  const own = row.presets.flatMap((id) => presets.get(id) ?? []);
  return {
    ...describeUseCase(row, isReadable),
    preset_details: own.map(({ id, title, summary }) => ({ id, title, summary })),
  };
}

/** Returns whether this version reads a source format. */
export const isReadable = (format: string): boolean => readers.get(format) !== undefined;

/** Returns why a target profile does not apply under a use case; null if it does. */
export function unfitReason(useCase: UseCaseRow, profile: TargetProfileId): string | null {
  const { fit, reason } = useCase.targets[profile];
  return fit === 'unfit' ? reason : null;
}

/** Returns the target profiles that apply under a use case, in registry order. */
export function applicableProfiles(useCase: UseCaseRow): TargetProfileId[] {
  return targetProfileIds.filter((id) => useCase.targets[id].fit !== 'unfit');
}

/** Returns the use case of a stored id; former ids work too. Throws `internal` for an unknown id. */
export function storedUseCase(id: string) {
  const row = findUseCase(id);
  if (row === undefined) throw new AssayError('internal', `a workspace declares the unknown use case ${id}`);
  return row;
}

/** Returns the current id of a use case for a current or former id. Throws `internal` for an unknown id. */
export const useCaseIdOf = (id: string): UseCaseId => storedUseCase(id).id;
