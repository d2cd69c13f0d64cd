import type { TenantScope } from '../database/database.ts';
import { and, eq } from '../drizzle.ts';
import { ontologies } from '../schema/projects.ts';

/** Returns the classes declared by a workspace and the renames of a project; empty if there is no row. */
export async function getOntology(
  { sql, tenant_id }: TenantScope,
  owner_id: string,
): Promise<Pick<typeof ontologies.$inferSelect, 'declared' | 'renames'>> {
  const [row] = await sql
    .select({ declared: ontologies.declared, renames: ontologies.renames })
    .from(ontologies)
    .where(and(eq(ontologies.tenant_id, tenant_id), eq(ontologies.owner_id, owner_id)));
  return row ?? { declared: [], renames: {} };
}

/** Sets the ontology of a workspace or project. */
export async function setOntology(
  { sql, tenant_id }: TenantScope,
  row: Omit<typeof ontologies.$inferSelect, 'tenant_id'>,
): Promise<void> {
  const { declared, renames, updated_at } = row;
  await sql
    .insert(ontologies)
    .values({ ...row, tenant_id })
    .onConflictDoUpdate({
      target: [ontologies.tenant_id, ontologies.owner_id],
      set: { declared, renames, updated_at },
    });
}

/** Deletes the ontology of a deleted project or workspace. */
export async function deleteOntology({ sql, tenant_id }: TenantScope, owner_id: string): Promise<void> {
  await sql
    .delete(ontologies)
    .where(and(eq(ontologies.tenant_id, tenant_id), eq(ontologies.owner_id, owner_id)));
}
