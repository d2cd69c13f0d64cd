import { type TargetProfileId, targetProfileIds } from '#core/api';
import type { UseCaseRow } from '#quality/catalog';

/** Why a target profile does not apply under a use case; null where it does. */
export function unfitReason(useCase: UseCaseRow, profile: TargetProfileId): string | null {
  const { fit, reason } = useCase.targets[profile];
  return fit === 'unfit' ? reason : null;
}

/** Profiles that a project of the use case can declare. */
export function applicableProfiles(useCase: UseCaseRow): TargetProfileId[] {
  return targetProfileIds.filter((id) => useCase.targets[id].fit !== 'unfit');
}
