import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, isNull, ne } from '../drizzle.ts';
import { signingKeys } from '../schema/certification.ts';

export type SigningKeyRow = typeof signingKeys.$inferSelect;

/** Lists the keys of the tenant, newest first. */
export async function listKeys({ sql, tenant_id }: TenantScope): Promise<SigningKeyRow[]> {
  return sql
    .select()
    .from(signingKeys)
    .where(eq(signingKeys.tenant_id, tenant_id))
    .orderBy(desc(signingKeys.valid_from), signingKeys.keyid);
}

/** Returns a key; null if the tenant has none with this id. */
export async function getKey({ sql, tenant_id }: TenantScope, keyid: string): Promise<SigningKeyRow | null> {
  const [row] = await sql
    .select()
    .from(signingKeys)
    .where(and(eq(signingKeys.tenant_id, tenant_id), eq(signingKeys.keyid, keyid)));
  return row ?? null;
}

/** Adds a key unless it exists. */
export async function addKey({ sql }: TenantScope, row: SigningKeyRow): Promise<void> {
  await sql.insert(signingKeys).values(row).onConflictDoNothing();
}

/** Sets the end of the validity of a key unless it has ended. */
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

/** Ends the validity of all command keys except `keyid`, with which the command signs now, unless it has ended. */
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
