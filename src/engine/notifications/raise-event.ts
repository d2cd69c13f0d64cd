import { newId } from '#core';
import type { NotificationEvent, NotificationEventType } from '#core/api';
import { type DeliveryRow, deliveryRows, notificationTargetRows, type Store, type TenantScope } from '#store';

/** Parts of the store that notifications need. */
export type NotificationStore = Pick<Store, 'database' | 'queue' | 'notifications'>;

type Described<Event> = Event extends NotificationEvent ? Pick<Event, 'message' | 'links' | 'data'> : never;

/** Message, links (as paths) and data of an event of a type. */
export type EventDescription<Type extends NotificationEvent['type']> = Described<
  Extract<NotificationEvent, { type: Type }>
>;

/** Identifies what an event is about. */
export interface EventSubject<Type extends NotificationEvent['type']> {
  readonly type: Type;
  /** Null for events of the tenant. */
  readonly project_id: string | null;
}

/**
 * Stores an event with a delivery for each target that wants it, in the caller's transaction, so that a delivery exists
 * if and only if what it reports was committed. `describe` is called only if a target wants it.
 */
export async function raiseEvent<Type extends NotificationEventType>(
  store: NotificationStore,
  { tenant_id }: Pick<TenantScope, 'tenant_id'>,
  subject: EventSubject<Type>,
  describe: () => Promise<EventDescription<Type>>,
): Promise<void> {
  const scope = { sql: store.database.sql, tenant_id };
  const target_ids = await notificationTargetRows.findTargets(scope, subject);
  if (target_ids.length === 0) return;
  const now = new Date();
  await addEvent(store, scope, { subject, target_ids, description: await describe(), now });
}

/** Stores a test event and its delivery to one target. */
export async function raiseTestEvent(
  store: NotificationStore,
  { tenant_id }: Pick<TenantScope, 'tenant_id'>,
  target: { readonly id: string; readonly project_id: string | null },
): Promise<DeliveryRow> {
  const scope = { sql: store.database.sql, tenant_id };
  const { project_id } = target;
  const path = project_id === null ? '/' : `/projects/${project_id}`;
  const [delivery] = await addEvent(store, scope, {
    subject: { type: 'test', project_id },
    target_ids: [target.id],
    description: {
      message: 'This is a test of notifications.',
      links: { web: path, api: project_id === null ? '/v1/projects' : `/v1/projects/${project_id}` },
      data: {},
    },
    now: new Date(),
    forced: true,
  });
  return delivery;
}

/** Stores another delivery of an event to the target of an earlier one. */
export async function repeatDelivery(
  store: NotificationStore,
  { tenant_id }: Pick<TenantScope, 'tenant_id'>,
  { id, event_id, target_id }: Pick<DeliveryRow, 'id' | 'event_id' | 'target_id'>,
): Promise<DeliveryRow> {
  const scope = { sql: store.database.sql, tenant_id };
  const [delivery] = await addDeliveries(store, scope, {
    ...{ event_id, target_ids: [target_id], now: new Date() },
    ...{ forced: true, redelivery_of: id },
  });
  return delivery;
}

interface NewEvent<Type extends NotificationEvent['type']> {
  readonly subject: EventSubject<Type>;
  readonly target_ids: readonly string[];
  readonly description: EventDescription<Type>;
  readonly now: Date;
  readonly forced?: boolean;
}

async function addEvent<Type extends NotificationEvent['type']>(
  store: NotificationStore,
  scope: TenantScope,
  { subject, target_ids, description, now, forced = false }: NewEvent<Type>,
): Promise<DeliveryRow[]> {
  const id = newId('evt');
  const { message, links, data } = description;
  const base = store.notifications?.public_url ?? '';
  const event = {
    schema: 'assay/event/v1',
    id,
    type: subject.type,
    created_at: now.toISOString(),
    tenant_id: scope.tenant_id,
    project_id: subject.project_id,
    message,
    links: { web: `${base}${links.web}`, api: `${base}${links.api}` },
    data,
  };
  await deliveryRows.insertEvent(scope, { id, body: JSON.stringify(event), created_at: now });
  return addDeliveries(store, scope, { event_id: id, target_ids, now, forced, redelivery_of: null });
}

interface NewDeliveries {
  readonly event_id: string;
  readonly target_ids: readonly string[];
  readonly now: Date;
  readonly forced: boolean;
  readonly redelivery_of: string | null;
}

/** Stores deliveries and queues their first attempts. */
async function addDeliveries(
  store: NotificationStore,
  scope: TenantScope,
  { target_ids, now, ...common }: NewDeliveries,
): Promise<DeliveryRow[]> {
  const { tenant_id } = scope;
  const rows = target_ids.map((target_id) => ({
    ...common,
    tenant_id,
    id: newId('dlv'),
    target_id,
    status: 'pending' as const,
    attempts: 0,
    ...{ response_status: null, duration_ms: null, error: null, last_attempt_at: null },
    created_at: now,
    next_attempt_at: now,
  }));
  await deliveryRows.insertDeliveries(scope, rows);
  await store.queue.send(
    'notification_steps',
    rows.map(({ id }) => ({ tenant_id, delivery_id: id, attempt: 0 })),
  );
  return rows;
}
