import { and, desc, eq, isNull, ne } from '../../drizzle.ts';
import { signingKeys } from '../../schema/certification.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type SigningKeyRow = typeof signingKeys.$inferSelect;

/** Every key of the tenant, newest first. */
export async function listKeys({ sql, tenant_id }: TenantScope): Promise<SigningKeyRow[]> {
  return sql
    .select()
    .from(signingKeys)
    .where(eq(signingKeys.tenant_id, tenant_id))
    .orderBy(desc(signingKeys.valid_from), signingKeys.keyid);
}

export async function getKey({ sql, tenant_id }: TenantScope, keyid: string): Promise<SigningKeyRow | null> {
  const [row] = await sql
    .select()
    .from(signingKeys)
    .where(and(eq(signingKeys.tenant_id, tenant_id), eq(signingKeys.keyid, keyid)));
  return row ?? null;
}

/** Adds a key that is not known yet. */
export async function addKey({ sql }: TenantScope, row: SigningKeyRow): Promise<void> {
  await sql.insert(signingKeys).values(row).onConflictDoNothing();
}

/** Ends a key. */
export async function endKey({ sql, tenant_id }: TenantScope, keyid: string, at: Date): Promise<void> {
  await sql
    .update(signingKeys)
    .set({ valid_until: at })
    .where(
      and(
        eq(signingKeys.tenant_id, tenant_id),
        eq(signingKeys.keyid, keyid),
        isNull(signingKeys.valid_until),
      ),
    );
}

/** Ends every key behind a command but one: the command signs with that now. */
export async function endOtherCommands(
  { sql, tenant_id }: TenantScope,
  keyid: string,
  at: Date,
): Promise<void> {
  await sql
    .update(signingKeys)
    .set({ valid_until: at })
    .where(
      and(
        eq(signingKeys.tenant_id, tenant_id),
        eq(signingKeys.place, 'command'),
        ne(signingKeys.keyid, keyid),
        isNull(signingKeys.valid_until),
      ),
    );
}
