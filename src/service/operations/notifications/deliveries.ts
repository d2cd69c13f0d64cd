import { AssayError, idPattern } from '#core';
import type { NotificationDelivery } from '#core/api';
import { raiseTestEvent, repeatDelivery } from '#engine/notifications';
import { type DeliveryRow, type DeliveryWithEvent, deliveryRows, type Store } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { requireTarget, type TargetId, wordsOf } from './targets.ts';

/** Filter and page of deliveries. */
export interface DeliveryListQuery {
  readonly status?: DeliveryRow['status'] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the deliveries to a target, newest first. Throws `not_found`. */
export async function listDeliveries(
  store: Store,
  call: Call,
  target: TargetId,
  { status, limit, cursor }: DeliveryListQuery,
): Promise<Page<NotificationDelivery>> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const before = readCursor(cursor, idPattern('dlv'));
  const { id: target_id } = await requireTarget(scope, target);
  const rows = await deliveryRows.listDeliveries(scope, {
    ...{ target_id, before },
    status: status ?? null,
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, ({ id }) => id, deliveryOf);
}

/** Queues a test event for a target, also for a disabled one. Throws `not_found`. */
export async function sendTestEvent(
  store: Store,
  call: Call,
  target: TargetId,
): Promise<NotificationDelivery> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await requireTarget(scope, target);
    const { id } = await raiseTestEvent(store, scope, row);
    await auditDelivery(store, call, target, { verb: 'test', delivery_id: id });
    return loadDelivery(store, call, target, id);
  });
}

/** Queues the event of a delivery for the same target again, also for a disabled one. Throws `not_found`. */
export async function redeliver(
  store: Store,
  call: Call,
  target: TargetId,
  delivery_id: string,
): Promise<NotificationDelivery> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    await requireTarget(scope, target);
    const repeated = await deliveryRows.getDelivery(scope, { id: delivery_id, target_id: target.id });
    if (repeated === null)
      throw new AssayError('not_found', 'no delivery with this id', {
        advice: `GET ${wordsOf[target.kind].path}/{id}/deliveries lists them; they are kept for 30 days`,
      });
    const { id } = await repeatDelivery(store, scope, repeated);
    await auditDelivery(store, call, target, { verb: 'redeliver', delivery_id: id });
    return loadDelivery(store, call, target, id);
  });
}

async function auditDelivery(
  store: Store,
  call: Call,
  { kind, id }: TargetId,
  { verb, delivery_id }: { readonly verb: 'test' | 'redeliver'; readonly delivery_id: string },
): Promise<void> {
  const { object_type } = wordsOf[kind];
  await appendAudit(store, call, {
    action: verb === 'redeliver' && kind === 'email' ? 'redeliver_email' : `${verb}_${object_type}`,
    object_type,
    object_id: id,
    ...{ before: null, after: null },
    detail: { delivery_id },
  });
}

async function loadDelivery(
  store: Store,
  call: Call,
  { id: target_id }: TargetId,
  id: string,
): Promise<NotificationDelivery> {
  const row = await deliveryRows.getDelivery(scopeOf(store, call), { id, target_id });
  if (row === null) throw new AssayError('internal', `the delivery ${id} was just added and is missing`);
  return deliveryOf(row);
}

function deliveryOf(row: DeliveryWithEvent): NotificationDelivery {
  const { id, status, attempts, response_status, duration_ms, error, redelivery_of } = row;
  return {
    id,
    event: JSON.parse(row.body) as NotificationDelivery['event'],
    ...{ status, attempts, response_status, duration_ms, error },
    created_at: row.created_at.toISOString(),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    redelivery_of,
  };
}
