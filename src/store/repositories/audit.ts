import type { TenantScope } from '../database/database.ts';
import { and, asc, desc, eq, gt, gte, lt, lte, max } from '../drizzle.ts';
import { auditEntries, auditHeads } from '../schema/tenancy.ts';

export type AuditRow = typeof auditEntries.$inferSelect;
export type AuditHeadRow = Omit<typeof auditHeads.$inferSelect, 'tenant_id'>;

const headColumns = { sequence: auditHeads.sequence, digest: auditHeads.digest };

/** Returns the end of the audit chain; null if it is empty. */
export async function getAuditHead({ sql, tenant_id }: TenantScope): Promise<AuditHeadRow | null> {
  const [head] = await sql.select(headColumns).from(auditHeads).where(eq(auditHeads.tenant_id, tenant_id));
  return head ?? null;
}

/**
 * Locks and returns the end of the audit chain, starting it with `start` if it is empty. Must run in a transaction;
 * other writers of the tenant wait until it ends, because the next row contains the digest of this one.
 */
export async function lockAuditHead(
  { sql, tenant_id }: TenantScope,
  start: AuditHeadRow,
): Promise<AuditHeadRow> {
  const locked = () =>
    sql.select(headColumns).from(auditHeads).where(eq(auditHeads.tenant_id, tenant_id)).for('update');
  const [head] = await locked();
  if (head !== undefined) return head;
  await sql
    .insert(auditHeads)
    .values({ ...start, tenant_id })
    .onConflictDoNothing();
  const [created] = await locked();
  return created;
}

/** Adds a row and moves the head to it. The caller must hold the lock of the head. */
export async function insertAuditEntry(
  { sql, tenant_id }: TenantScope,
  entry: Omit<AuditRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(auditEntries).values({ ...entry, tenant_id });
  await sql
    .update(auditHeads)
    .set({ sequence: entry.sequence, digest: entry.digest })
    .where(eq(auditHeads.tenant_id, tenant_id));
}

/** Filter of `listAudit`. */
export interface AuditFilter {
  readonly actor_id: string | null;
  readonly action: string | null;
  readonly object_id: string | null;
  /** Inclusive start. */
  readonly from: Date | null;
  /** Exclusive end. */
  readonly to: Date | null;
  /** Only rows before this sequence. */
  readonly before: number | null;
  readonly limit: number;
}

/** Lists audit entries, newest first. */
export async function listAudit({ sql, tenant_id }: TenantScope, filter: AuditFilter): Promise<AuditRow[]> {
  const log = auditEntries;
  const optionalCondition = <T>(value: T | null, condition: (value: T) => ReturnType<typeof eq>) =>
    value === null ? undefined : condition(value);
  return sql
    .select()
    .from(log)
    .where(
      and(
        eq(log.tenant_id, tenant_id),
        optionalCondition(filter.before, (sequence) => lt(log.sequence, sequence)),
        optionalCondition(filter.actor_id, (id) => eq(log.actor_id, id)),
        optionalCondition(filter.action, (action) => eq(log.action, action)),
        optionalCondition(filter.object_id, (id) => eq(log.object_id, id)),
        optionalCondition(filter.from, (from) => gte(log.at, from)),
        optionalCondition(filter.to, (to) => lt(log.at, to)),
      ),
    )
    .orderBy(desc(log.sequence))
    .limit(filter.limit);
}

/**
 * Reads at most `limit` rows after sequence `after` up to `last`, in order. `after` null: from the first row, whatever
 * its number.
 */
export async function readAuditChain(
  { sql, tenant_id }: TenantScope,
  { after, last, limit }: { readonly after: number | null; readonly last: number; readonly limit: number },
): Promise<AuditRow[]> {
  const log = auditEntries;
  return sql
    .select()
    .from(log)
    .where(
      and(
        eq(log.tenant_id, tenant_id),
        after === null ? undefined : gt(log.sequence, after),
        lte(log.sequence, last),
      ),
    )
    .orderBy(asc(log.sequence))
    .limit(limit);
}

/** Returns the sequences of the rows whose previous digest is `digest`. */
export async function findAuditFollowers(
  { sql, tenant_id }: TenantScope,
  digest: string,
): Promise<readonly number[]> {
  const rows = await sql
    .select({ sequence: auditEntries.sequence })
    .from(auditEntries)
    .where(and(eq(auditEntries.tenant_id, tenant_id), eq(auditEntries.previous_digest, digest)))
    .orderBy(asc(auditEntries.sequence));
  return rows.map(({ sequence }) => sequence);
}

/** Returns the highest sequence; null if there is no row. */
export async function getLastAuditSequence({ sql, tenant_id }: TenantScope): Promise<number | null> {
  const [last] = await sql
    .select({ sequence: max(auditEntries.sequence) })
    .from(auditEntries)
    .where(eq(auditEntries.tenant_id, tenant_id));
  return last.sequence;
}
