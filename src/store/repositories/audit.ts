import { and, asc, desc, eq, gt, gte, lt, lte, max } from '../drizzle.ts';
import { auditEntries, auditHeads } from '../schema/tenancy.ts';
import type { TenantScope } from '../tenant-scope.ts';

export type AuditRow = typeof auditEntries.$inferSelect;
export type AuditHeadRow = Omit<typeof auditHeads.$inferSelect, 'tenant_id'>;

const headColumns = { sequence: auditHeads.sequence, digest: auditHeads.digest };

/** Where the chain ends; null where none was begun. */
export async function getAuditHead({ sql, tenant_id }: TenantScope): Promise<AuditHeadRow | null> {
  const [head] = await sql.select(headColumns).from(auditHeads).where(eq(auditHeads.tenant_id, tenant_id));
  return head ?? null;
}

/**
 * Inside a transaction: where the chain ends, begun with `start` where there is none. The tenant's other writers wait
 * until it ends, since the next row must know this one's digest.
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
  const [begun] = await locked();
  return begun;
}

/** Adds a row and moves the head there; the caller holds the head. */
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

export interface AuditFilter {
  readonly actor_id: string | null;
  readonly action: string | null;
  readonly object_id: string | null;
  /** From this moment on. */
  readonly from: Date | null;
  /** Before this moment. */
  readonly to: Date | null;
  /** Only those before this sequence. */
  readonly before: number | null;
  readonly limit: number;
}

/** Newest first. */
export async function listAudit({ sql, tenant_id }: TenantScope, filter: AuditFilter): Promise<AuditRow[]> {
  const log = auditEntries;
  const given = <T>(value: T | null, condition: (value: T) => ReturnType<typeof eq>) =>
    value === null ? undefined : condition(value);
  return sql
    .select()
    .from(log)
    .where(
      and(
        eq(log.tenant_id, tenant_id),
        given(filter.before, (sequence) => lt(log.sequence, sequence)),
        given(filter.actor_id, (id) => eq(log.actor_id, id)),
        given(filter.action, (action) => eq(log.action, action)),
        given(filter.object_id, (id) => eq(log.object_id, id)),
        given(filter.from, (from) => gte(log.at, from)),
        given(filter.to, (to) => lt(log.at, to)),
      ),
    )
    .orderBy(desc(log.sequence))
    .limit(filter.limit);
}

/** In order, `limit` rows after sequence `after` up to `last`; null: from the first there is, whatever its number. */
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

/** Sequences of the rows that name `digest` as the one before them. */
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

/** Highest sequence there is; null where there is no row. */
export async function getLastAuditSequence({ sql, tenant_id }: TenantScope): Promise<number | null> {
  const [last] = await sql
    .select({ sequence: max(auditEntries.sequence) })
    .from(auditEntries)
    .where(eq(auditEntries.tenant_id, tenant_id));
  return last.sequence;
}
