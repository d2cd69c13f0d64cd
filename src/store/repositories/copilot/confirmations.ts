import { and, eq, gte, isNull } from '../../drizzle.ts';
import { copilotConfirmations as c } from '../../schema/copilot.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type ConfirmationRow = typeof c.$inferSelect;
type Asked = Pick<ConfirmationRow, 'owner_id' | 'message_hash'>;
type Call = Pick<ConfirmationRow, 'tool' | 'argument_hash'>;

/** What was asked of an owner in answer to a message since then, used or not. */
export async function listConfirmations(
  { sql, tenant_id }: TenantScope,
  { owner_id, message_hash }: Asked,
  since: Date,
): Promise<ConfirmationRow[]> {
  return sql
    .select()
    .from(c)
    .where(
      and(
        eq(c.tenant_id, tenant_id),
        eq(c.owner_id, owner_id),
        eq(c.message_hash, message_hash),
        gte(c.asked_at, since),
      ),
    );
}

/** Asks, or asks again. */
export async function askConfirmation(
  { sql, tenant_id }: TenantScope,
  row: Omit<ConfirmationRow, 'tenant_id' | 'used_at'>,
): Promise<void> {
  await sql
    .insert(c)
    .values({ ...row, tenant_id, used_at: null })
    .onConflictDoUpdate({
      target: [c.tenant_id, c.owner_id, c.message_hash, c.tool, c.argument_hash],
      set: { asked_at: row.asked_at, used_at: null },
    });
}

/** Uses a confirmation up; false where it was never asked, too long ago, or used before. */
export async function useConfirmation(
  { sql, tenant_id }: TenantScope,
  { owner_id, message_hash, tool, argument_hash }: Asked & Call,
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<boolean> {
  const used = await sql
    .update(c)
    .set({ used_at: now })
    .where(
      and(
        eq(c.tenant_id, tenant_id),
        eq(c.owner_id, owner_id),
        eq(c.message_hash, message_hash),
        eq(c.tool, tool),
        eq(c.argument_hash, argument_hash),
        isNull(c.used_at),
        gte(c.asked_at, since),
      ),
    )
    .returning({ tool: c.tool });
  return used.length === 1;
}
