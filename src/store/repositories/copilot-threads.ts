import type { TenantScope } from '../database/database.ts';
import { and, asc, desc, eq, lt } from '../drizzle.ts';
import { copilotMessages as m, copilotThreads as t } from '../schema/copilot.ts';

export type ThreadRow = typeof t.$inferSelect;
export type MessageRow = typeof m.$inferSelect;

/** Identifies a chat thread of one owner. */
export interface ThreadKey {
  readonly owner_id: string;
  readonly thread_id: string;
}

const rowCondition = ({ tenant_id }: TenantScope, { owner_id, thread_id }: ThreadKey) =>
  and(eq(t.tenant_id, tenant_id), eq(t.id, thread_id), eq(t.owner_id, owner_id));

/** Returns a thread; null if the owner has none with this id. `lock` locks the row until the transaction ends. */
export async function getThread(
  scope: TenantScope,
  key: ThreadKey,
  lock?: 'update',
): Promise<ThreadRow | null> {
  const query = scope.sql.select().from(t).where(rowCondition(scope, key));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Lists the threads of an owner, newest first, only those before the id `before`. */
export async function listThreads(
  { sql, tenant_id }: TenantScope,
  {
    owner_id,
    before,
    limit,
  }: { readonly owner_id: string; readonly before: string | null; readonly limit: number },
): Promise<ThreadRow[]> {
  return sql
    .select()
    .from(t)
    .where(
      and(
        eq(t.tenant_id, tenant_id),
        eq(t.owner_id, owner_id),
        before === null ? undefined : lt(t.id, before),
      ),
    )
    .orderBy(desc(t.id))
    .limit(limit);
}

/** Adds a thread. */
export async function insertThread(
  { sql, tenant_id }: TenantScope,
  row: Omit<ThreadRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(t).values({ ...row, tenant_id });
}

/** Changes a thread. */
export async function updateThread(
  scope: TenantScope,
  key: ThreadKey,
  change: Pick<ThreadRow, 'messages' | 'updated_at'>,
): Promise<void> {
  await scope.sql.update(t).set(change).where(rowCondition(scope, key));
}

/** Adds messages. */
export async function insertMessages(
  { sql, tenant_id }: TenantScope,
  rows: readonly Omit<MessageRow, 'tenant_id'>[],
): Promise<void> {
  await sql.insert(m).values(rows.map((row) => ({ ...row, tenant_id })));
}

/** Lists the messages of a thread in order. */
export async function listMessages(
  { sql, tenant_id }: TenantScope,
  thread_id: string,
): Promise<MessageRow[]> {
  return sql
    .select()
    .from(m)
    .where(and(eq(m.tenant_id, tenant_id), eq(m.thread_id, thread_id)))
    .orderBy(asc(m.place));
}

/** Deletes a thread with its messages. Must run in a transaction; the caller checks that the thread is the owner's. */
export async function deleteThread(scope: TenantScope, key: ThreadKey): Promise<void> {
  const { sql, tenant_id } = scope;
  await sql.delete(m).where(and(eq(m.tenant_id, tenant_id), eq(m.thread_id, key.thread_id)));
  await sql.delete(t).where(rowCondition(scope, key));
}
