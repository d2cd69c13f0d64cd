import { AssayError, idPattern, limits, newId } from '#core';
import type { NotificationEventType } from '#core/api';
import {
  notificationTargetRows,
  projectRows,
  type Store,
  type TargetKind,
  type TargetRow,
  type TenantScope,
} from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

/** Words for a kind of target. */
interface TargetWords {
  readonly prefix: 'whk' | 'sbs';
  readonly object_type: string;
  readonly noun: string;
  readonly path: string;
}

/** Words of each kind of target. */
export const wordsOf: Readonly<Record<TargetKind, TargetWords>> = {
  webhook: { prefix: 'whk', object_type: 'webhook', noun: 'webhook', path: '/v1/webhooks' },
  email: {
    prefix: 'sbs',
    object_type: 'email_subscription',
    noun: 'email subscription',
    path: '/v1/email-subscriptions',
  },
};

/** Identifies a target. */
export type TargetId = Pick<TargetRow, 'kind' | 'id'>;

/** Same error whether the target is missing or belongs to another tenant, so that ids do not leak. */
const targetNotFound = (kind: TargetKind): AssayError =>
  new AssayError('not_found', `no ${wordsOf[kind].noun} with this id`, {
    advice: `GET ${wordsOf[kind].path} lists them`,
  });

/** Returns a target, with `update` locked until the transaction ends. Throws `not_found`. */
export async function requireTarget(
  scope: TenantScope,
  target: TargetId,
  lock?: 'update',
): Promise<TargetRow> {
  const row = await notificationTargetRows.getTarget(scope, target, lock);
  if (row === null) throw targetNotFound(target.kind);
  return row;
}

/** Common settings of new targets. */
export interface NewTarget {
  readonly name: string;
  readonly project_id?: string | undefined;
  readonly events?: readonly NotificationEventType[] | undefined;
}

/** Kind, destination and secret of a new target. */
type Destination = Pick<TargetRow, 'kind' | 'destination' | 'secret'>;

/**
 * Adds a target, audited without its destination and secret. Throws `not_found` for the project, `limit_exceeded`.
 */
export async function addTarget(
  store: Store,
  call: Call,
  { name, project_id, events }: NewTarget,
  to: Destination,
): Promise<TargetRow> {
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    if (project_id !== undefined && (await projectRows.getProject(scope, project_id, 'share')) === null)
      throw noProject();
    await requireRoom(scope);
    const row = {
      ...to,
      id: newId(wordsOf[to.kind].prefix),
      project_id: project_id ?? null,
      name,
      events: events ?? null,
      ...{ previous_secret: null, previous_secret_until: null },
      ...{ enabled: true, disabled_reason: null },
      created_at: call.now,
      created_by: actorId(call),
      updated_at: call.now,
    };
    await notificationTargetRows.insertTarget(scope, row);
    const added = { ...row, tenant_id: scope.tenant_id };
    await auditTarget(store, call, 'create', null, added);
    return added;
  });
}

async function requireRoom(scope: TenantScope): Promise<void> {
  const maximum = limits.notifications.targets.value;
  if ((await notificationTargetRows.countTargets(scope)) < maximum) return;
  throw new AssayError('limit_exceeded', `the tenant has ${maximum} webhooks and email subscriptions`, {
    advice: 'delete those that are not used',
  });
}

/** Filter and page of targets. */
export interface TargetListQuery {
  readonly project_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists targets of a kind, newest first. */
export async function pageOfTargets<Item>(
  store: Store,
  call: Call,
  kind: TargetKind,
  { project_id, limit, cursor }: TargetListQuery,
  itemOf: (row: TargetRow) => Item,
): Promise<Page<Item>> {
  requireRole(call, 'admin');
  const rows = await notificationTargetRows.listTargets(scopeOf(store, call), {
    kind,
    project_id: project_id ?? null,
    before: readCursor(cursor, idPattern(wordsOf[kind].prefix)),
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, ({ id }) => id, itemOf);
}

/** Changed settings of a target; undefined members stay. */
export interface TargetChange {
  readonly name?: string | undefined;
  readonly destination?: string | undefined;
  readonly events?: readonly NotificationEventType[] | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** Changes a target, audited. Throws `not_found`. */
export async function changeTarget(
  store: Store,
  call: Call,
  target: TargetId,
  change: TargetChange,
): Promise<TargetRow> {
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const before = await requireTarget(scope, target, 'update');
    const after = {
      ...before,
      name: change.name ?? before.name,
      destination: change.destination ?? before.destination,
      events: change.events === undefined ? before.events : change.events,
      enabled: change.enabled ?? before.enabled,
      // An admin has decided now.
      disabled_reason: change.enabled === undefined ? before.disabled_reason : null,
      updated_at: call.now,
    };
    const { tenant_id: _tenant, id: _id, kind: _kind, ...columns } = after;
    await notificationTargetRows.updateTarget(scope, target.id, columns);
    await auditTarget(store, call, 'update', before, after);
    return after;
  });
}

/** Deletes a target with its deliveries, audited. Throws `not_found`. */
export async function removeTarget(store: Store, call: Call, target: TargetId): Promise<void> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    const before = await requireTarget(scope, target, 'update');
    await notificationTargetRows.deleteTarget(scope, target.id);
    await auditTarget(store, call, 'delete', before, null);
  });
}

/** Audits a change of a target without its secret. Addresses are hashed with the object, and not in the detail. */
export async function auditTarget(
  store: Store,
  call: Call,
  verb: 'create' | 'update' | 'delete' | 'rotate_secret',
  before: TargetRow | null,
  after: TargetRow | null,
): Promise<void> {
  const row = after ?? before;
  if (row === null) return;
  const { object_type } = wordsOf[row.kind];
  await appendAudit(store, call, {
    action: verb === 'rotate_secret' ? `rotate_${object_type}_secret` : `${verb}_${object_type}`,
    object_type,
    object_id: row.id,
    before: before === null ? null : auditedTarget(before),
    after: after === null ? null : auditedTarget(after),
    detail: {
      ...{ name: row.name, project_id: row.project_id, enabled: row.enabled },
      events: row.events === null ? null : [...row.events],
    },
  });
}

const auditedTarget = ({ name, project_id, destination, events, enabled }: TargetRow) => ({
  ...{ name, project_id, destination, enabled },
  events: events === null ? null : [...events],
});
