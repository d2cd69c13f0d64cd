import type { CertificationPolicy } from '#core/api';
import { defaultPolicy } from '#quality/certification';
import { policyRows, type projectRows, type TenantScope } from '#store';
import { noPolicy } from './views.ts';

/**
 * The named version of a project's policy, or the newest; where nobody has saved any, the default of the project's target
 * profile, whose version is null. Throws `not_found`.
 */
export async function policyInEffect(
  scope: TenantScope,
  { id, target_profile }: Pick<projectRows.ProjectRow, 'id' | 'target_profile'>,
  version: number | undefined,
): Promise<CertificationPolicy> {
  const saved = await policyRows.getPolicy(scope, id, version ?? null);
  if (saved !== null) return { ...saved.policy, version: saved.version };
  if (version !== undefined) throw noPolicy(version);
  return defaultPolicy(target_profile);
}
