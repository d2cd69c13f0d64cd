import { AssayError } from '#core';
import type { TargetProfileId } from '#core/api';
import type { UseCaseRow } from '#quality/catalog';
import { applicableProfiles, unfitReason } from '../workspaces/target-fit.ts';

/** Throws `invalid_request` where the target does not apply under the use case, naming those that do. */
export function demandFit(useCase: UseCaseRow, profile: TargetProfileId): void {
  const reason = unfitReason(useCase, profile);
  if (reason === null) return;
  const applicable = applicableProfiles(useCase);
  const message = `${profile} does not apply under ${useCase.id}: ${reason}`;
  throw new AssayError('invalid_request', message, {
    advice: `choose one of ${applicable.join(', ')}, or give the workspace another use case`,
    details: {
      errors: [{ pointer: '/body/target_profile', message }],
      applicable_target_profiles: applicable,
    },
  });
}
