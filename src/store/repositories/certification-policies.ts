import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, lt } from '../drizzle.ts';
import { certificationPolicies } from '../schema/certification.ts';

export type PolicyRow = typeof certificationPolicies.$inferSelect;

const { tenant_id: tenant, project_id: project, version } = certificationPolicies;
const inProject = (tenant_id: string, project_id: string) =>
  and(eq(tenant, tenant_id), eq(project, project_id));

/** Returns a version of the policy of a project, the newest if `requestedVersion` is null; null if there is none. */
export async function getPolicy(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  requestedVersion: number | null,
): Promise<PolicyRow | null> {
  const [row] = await sql
    .select()
    .from(certificationPolicies)
    .where(
      and(
        inProject(tenant_id, project_id),
        requestedVersion === null ? undefined : eq(version, requestedVersion),
      ),
    )
    .orderBy(desc(version))
    .limit(1);
  return row ?? null;
}

/** Returns the latest version of a project's policy with this hash; null if there is none. */
export async function findPolicy(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  policy_hash: string,
): Promise<PolicyRow | null> {
  const [row] = await sql
    .select()
    .from(certificationPolicies)
    .where(and(inProject(tenant_id, project_id), eq(certificationPolicies.policy_hash, policy_hash)))
    .orderBy(desc(version))
    .limit(1);
  return row ?? null;
}

/** Lists policy versions, newest first, only those before the version `before`. */
export async function listPolicies(
  { sql, tenant_id }: TenantScope,
  {
    project_id,
    before,
    limit,
  }: { readonly project_id: string; readonly before: number | null; readonly limit: number },
): Promise<PolicyRow[]> {
  return sql
    .select()
    .from(certificationPolicies)
    .where(and(inProject(tenant_id, project_id), before === null ? undefined : lt(version, before)))
    .orderBy(desc(version))
    .limit(limit);
}

/** Adds a policy version. */
export async function insertPolicy({ sql }: TenantScope, row: PolicyRow): Promise<void> {
  await sql.insert(certificationPolicies).values(row);
}

/** Deletes the policies of a deleted project. */
export async function deletePolicies({ sql, tenant_id }: TenantScope, project_id: string): Promise<void> {
  await sql.delete(certificationPolicies).where(inProject(tenant_id, project_id));
}
