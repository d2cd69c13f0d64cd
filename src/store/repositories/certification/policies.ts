import { and, desc, eq, lt } from '../../drizzle.ts';
import { certificationPolicies } from '../../schema/certification.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type PolicyRow = typeof certificationPolicies.$inferSelect;

const { tenant_id: tenant, project_id: project, version } = certificationPolicies;
const ofProject = (tenant_id: string, project_id: string) =>
  and(eq(tenant, tenant_id), eq(project, project_id));

/** A version of a project's policy, the newest where none is named; null where there is none. */
export async function getPolicy(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  wanted: number | null,
): Promise<PolicyRow | null> {
  const [row] = await sql
    .select()
    .from(certificationPolicies)
    .where(and(ofProject(tenant_id, project_id), wanted === null ? undefined : eq(version, wanted)))
    .orderBy(desc(version))
    .limit(1);
  return row ?? null;
}

/** The newest version with a hash; null where the project has none. */
export async function findPolicy(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  policy_hash: string,
): Promise<PolicyRow | null> {
  const [row] = await sql
    .select()
    .from(certificationPolicies)
    .where(and(ofProject(tenant_id, project_id), eq(certificationPolicies.policy_hash, policy_hash)))
    .orderBy(desc(version))
    .limit(1);
  return row ?? null;
}

/** Newest first, those before the version `before`. */
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
    .where(and(ofProject(tenant_id, project_id), before === null ? undefined : lt(version, before)))
    .orderBy(desc(version))
    .limit(limit);
}

export async function insertPolicy({ sql }: TenantScope, row: PolicyRow): Promise<void> {
  await sql.insert(certificationPolicies).values(row);
}

/** Those of a project that is deleted. */
export async function deletePolicies({ sql, tenant_id }: TenantScope, project_id: string): Promise<void> {
  await sql.delete(certificationPolicies).where(ofProject(tenant_id, project_id));
}
