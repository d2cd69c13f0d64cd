import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, getTableColumns, lt, sql as raw } from '../drizzle.ts';
import {
  notificationDeliveries as deliveries,
  notificationEvents as events,
  reviewQueues,
  notificationTargets as targets,
} from '../schema/notifications.ts';
import type { TargetRow } from './notification-targets.ts';

export type DeliveryRow = typeof deliveries.$inferSelect;
export type EventRow = typeof events.$inferSelect;

/** A delivery with the JSON text of its event. */
export type DeliveryWithEvent = DeliveryRow & Pick<EventRow, 'body'>;

const byId = ({ tenant_id }: TenantScope, id: string) =>
  and(eq(deliveries.tenant_id, tenant_id), eq(deliveries.id, id));
const eventJoin = and(eq(events.tenant_id, deliveries.tenant_id), eq(events.id, deliveries.event_id));

/** Adds an event. */
export async function insertEvent(
  { sql, tenant_id }: TenantScope,
  row: Omit<EventRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(events).values({ ...row, tenant_id });
}

/** Adds deliveries. */
export async function insertDeliveries(
  { sql, tenant_id }: TenantScope,
  rows: readonly Omit<DeliveryRow, 'tenant_id'>[],
): Promise<void> {
  await sql.insert(deliveries).values(rows.map((row) => ({ ...row, tenant_id })));
}

/** Returns a delivery to a target with its event; null if there is none. */
export async function getDelivery(
  scope: TenantScope,
  { id, target_id }: Pick<DeliveryRow, 'id' | 'target_id'>,
): Promise<DeliveryWithEvent | null> {
  const [row] = await scope.sql
    .select({ ...getTableColumns(deliveries), body: events.body })
    .from(deliveries)
    .innerJoin(events, eventJoin)
    .where(and(byId(scope, id), eq(deliveries.target_id, target_id)));
  return row ?? null;
}

/** A delivery with everything that is needed to send it. */
export interface DueDelivery {
  readonly delivery: DeliveryRow;
  readonly body: string;
  readonly target: TargetRow;
}

/** Returns a delivery with its event and target; null if one of them was deleted. */
export async function getDueDelivery(scope: TenantScope, id: string): Promise<DueDelivery | null> {
  const [row] = await scope.sql
    .select({
      delivery: getTableColumns(deliveries),
      body: events.body,
      target: getTableColumns(targets),
    })
    .from(deliveries)
    .innerJoin(events, eventJoin)
    .innerJoin(
      targets,
      and(eq(targets.tenant_id, deliveries.tenant_id), eq(targets.id, deliveries.target_id)),
    )
    .where(byId(scope, id));
  return row ?? null;
}

/** Filter and page of deliveries. */
export interface DeliveryQuery {
  readonly target_id: string;
  readonly status: DeliveryRow['status'] | null;
  /** Only deliveries with a smaller id; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists the deliveries to a target, newest first. */
export async function listDeliveries(
  { sql, tenant_id }: TenantScope,
  { target_id, status, before, limit }: DeliveryQuery,
): Promise<DeliveryWithEvent[]> {
  return sql
    .select({ ...getTableColumns(deliveries), body: events.body })
    .from(deliveries)
    .innerJoin(events, eventJoin)
    .where(
      and(
        eq(deliveries.tenant_id, tenant_id),
        eq(deliveries.target_id, target_id),
        status === null ? undefined : eq(deliveries.status, status),
        before === null ? undefined : lt(deliveries.id, before),
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(limit);
}

/**
 * Records the result of an attempt. Returns false if the delivery was deleted, has ended, or another process has
 * recorded this attempt.
 */
export async function recordAttempt(
  scope: TenantScope,
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  change: Pick<
    DeliveryRow,
    'status' | 'response_status' | 'duration_ms' | 'error' | 'last_attempt_at' | 'next_attempt_at'
  >,
): Promise<boolean> {
  const recorded = await scope.sql
    .update(deliveries)
    .set({ ...change, attempts: attempts + 1 })
    .where(and(byId(scope, id), eq(deliveries.status, 'pending'), eq(deliveries.attempts, attempts)))
    .returning({ id: deliveries.id });
  return recorded.length > 0;
}

/** Deletes the tenant's events and deliveries from before a time. */
export async function pruneDeliveries({ sql, tenant_id }: TenantScope, before: Date): Promise<void> {
  await sql
    .delete(deliveries)
    .where(and(eq(deliveries.tenant_id, tenant_id), lt(deliveries.created_at, before)));
  // Events of newer redeliveries stay.
  await sql
    .delete(events)
    .where(
      and(
        eq(events.tenant_id, tenant_id),
        lt(events.created_at, before),
        raw`NOT EXISTS (SELECT 1 FROM ${deliveries} WHERE ${deliveries.tenant_id} = ${events.tenant_id} AND ${deliveries.event_id} = ${events.id})`,
      ),
    );
}

/** Number of episodes of a project that wait for a reviewer: sent to review, and not accepted or rejected since. */
const waitingEpisodes = (tenant_id: string, project_id: string) => raw`(
  SELECT coalesce(sum(episodes - accepted - rejected), 0)::int FROM project_counts
  WHERE tenant_id = ${tenant_id} AND project_id = ${project_id} AND decision = 'review')`;

/** Records that a project's review queue is empty, if it is; before episodes are judged. */
export async function noteEmptyReviewQueue(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<void> {
  await sql
    .insert(reviewQueues)
    .values({ tenant_id, project_id, filled: raw`${waitingEpisodes(tenant_id, project_id)} > 0` })
    .onConflictDoUpdate({
      target: [reviewQueues.tenant_id, reviewQueues.project_id],
      set: { filled: false },
      setWhere: raw`NOT excluded.filled`,
    });
}

/**
 * Records whether a project's review queue is filled; after episodes were judged. Returns the number of episodes in it
 * if it was empty before, else null.
 */
export async function noteReviewQueue(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<number | null> {
  const [changed] = await sql
    .insert(reviewQueues)
    .values({ tenant_id, project_id, filled: raw`${waitingEpisodes(tenant_id, project_id)} > 0` })
    .onConflictDoUpdate({
      target: [reviewQueues.tenant_id, reviewQueues.project_id],
      set: { filled: raw`excluded.filled` },
      setWhere: raw`${reviewQueues.filled} <> excluded.filled`,
    })
    .returning({
      filled: reviewQueues.filled,
      episodes: raw<number>`${waitingEpisodes(tenant_id, project_id)}`,
    });
  return changed?.filled === true ? changed.episodes : null;
}

/** Deletes the record of a deleted project's review queue. */
export async function deleteReviewQueue({ sql, tenant_id }: TenantScope, project_id: string): Promise<void> {
  await sql
    .delete(reviewQueues)
    .where(and(eq(reviewQueues.tenant_id, tenant_id), eq(reviewQueues.project_id, project_id)));
}
