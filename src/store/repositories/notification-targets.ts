import type { NotificationEventType } from '#core/api';
import type { TenantScope } from '../database/database.ts';
import { and, desc, eq, isNull, lt, or, sql as raw } from '../drizzle.ts';
import {
  notificationDeliveries as deliveries,
  notificationTargets as targets,
} from '../schema/notifications.ts';

export type TargetRow = typeof targets.$inferSelect;
export type TargetKind = TargetRow['kind'];

const byId = ({ tenant_id }: TenantScope, id: string) =>
  and(eq(targets.tenant_id, tenant_id), eq(targets.id, id));

/** Adds a target. */
export async function insertTarget(
  { sql, tenant_id }: TenantScope,
  row: Omit<TargetRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(targets).values({ ...row, tenant_id });
}

/**
 * Returns a target, with `update` locked until the transaction ends; null if the tenant has none of this kind with this
 * id.
 */
export async function getTarget(
  scope: TenantScope,
  { kind, id }: Pick<TargetRow, 'kind' | 'id'>,
  lock?: 'update',
): Promise<TargetRow | null> {
  const query = scope.sql
    .select()
    .from(targets)
    .where(and(byId(scope, id), eq(targets.kind, kind)));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Filter and page of targets. */
export interface TargetQuery {
  readonly kind: TargetKind;
  /** Only targets that are limited to this project; null for all. */
  readonly project_id: string | null;
  /** Only targets with a smaller id; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists targets, newest first. */
export async function listTargets(
  { sql, tenant_id }: TenantScope,
  { kind, project_id, before, limit }: TargetQuery,
): Promise<TargetRow[]> {
  return sql
    .select()
    .from(targets)
    .where(
      and(
        eq(targets.tenant_id, tenant_id),
        eq(targets.kind, kind),
        project_id === null ? undefined : eq(targets.project_id, project_id),
        before === null ? undefined : lt(targets.id, before),
      ),
    )
    .orderBy(desc(targets.id))
    .limit(limit);
}

/** Returns the number of targets of a tenant. */
export async function countTargets({ sql, tenant_id }: TenantScope): Promise<number> {
  const [row] = await sql
    .select({ count: raw<number>`count(*)::int` })
    .from(targets)
    .where(eq(targets.tenant_id, tenant_id));
  return row.count;
}

/** Changes a target and returns it; null if it does not exist. */
export async function updateTarget(
  scope: TenantScope,
  id: string,
  change: Partial<Omit<TargetRow, 'tenant_id' | 'id' | 'kind'>>,
): Promise<TargetRow | null> {
  const [row] = await scope.sql.update(targets).set(change).where(byId(scope, id)).returning();
  return row ?? null;
}

/** Deletes a target with its deliveries. */
export async function deleteTarget(scope: TenantScope, id: string): Promise<void> {
  const { sql, tenant_id } = scope;
  await sql.delete(deliveries).where(and(eq(deliveries.tenant_id, tenant_id), eq(deliveries.target_id, id)));
  await sql.delete(targets).where(byId(scope, id));
}

/** Deletes the targets that are limited to a project, with their deliveries. */
export async function deleteTargetsOfProject(scope: TenantScope, project_id: string): Promise<void> {
  const { sql, tenant_id } = scope;
  const own = await sql
    .select({ id: targets.id })
    .from(targets)
    .where(and(eq(targets.tenant_id, tenant_id), eq(targets.project_id, project_id)));
  for (const { id } of own) await deleteTarget(scope, id);
}

/** Returns the ids of the enabled targets that want an event of this type. `project_id` null: an event of the tenant. */
export async function findTargets(
  { sql, tenant_id }: TenantScope,
  { type, project_id }: { readonly type: NotificationEventType; readonly project_id: string | null },
): Promise<string[]> {
  const rows = await sql
    .select({ id: targets.id })
    .from(targets)
    .where(
      and(
        eq(targets.tenant_id, tenant_id),
        eq(targets.enabled, true),
        project_id === null
          ? isNull(targets.project_id)
          : or(isNull(targets.project_id), eq(targets.project_id, project_id)),
        or(isNull(targets.events), raw`${targets.events} @> ${JSON.stringify([type])}::jsonb`),
      ),
    );
  return rows.map(({ id }) => id);
}
