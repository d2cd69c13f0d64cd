import type { TenantScope } from '../database/database.ts';
import { and, eq, gte, isNull } from '../drizzle.ts';
import { copilotConfirmations as c } from '../schema/copilot.ts';

export type ConfirmationRow = typeof c.$inferSelect;
type ConfirmationKey = Pick<ConfirmationRow, 'owner_id' | 'message_hash'>;
type Call = Pick<ConfirmationRow, 'tool' | 'argument_hash'>;

/** Lists the confirmations requested from an owner for a message since a time, used or not. */
export async function listConfirmations(
  { sql, tenant_id }: TenantScope,
  { owner_id, message_hash }: ConfirmationKey,
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

/** Stores a requested confirmation; an existing one becomes unused. */
export async function requestConfirmation(
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

/**
 * Marks a person's confirmation of one call of a tool as used, so that it allows the call once. Returns false if it was not
 * requested since the given time or was already used.
 */
export async function useConfirmation(
  { sql, tenant_id }: TenantScope,
  { owner_id, message_hash, tool, argument_hash }: ConfirmationKey & Call,
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
