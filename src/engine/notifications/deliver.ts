import { type JsonObject, limits } from '#core';
import type { NotificationEvent } from '#core/api';
import {
  type DeliveryRow,
  type DueDelivery,
  deliveryRows,
  notificationTargetRows,
  type QueuedJob,
  type Store,
  type TenantScope,
} from '#store';
import type { AttemptResult } from './attempt.ts';
import { sendEmail } from './send-email.ts';
import { sendWebhook } from './send-webhook.ts';

/** Parts of the store that deliveries need. */
type DeliveryStore = Pick<Store, 'database' | 'queue' | 'notifications' | 'source_access'>;

const minute_s = 60;
const hour_s = 60 * minute_s;

/** Delays in seconds between attempts: ten attempts in about 23 hours. */
const defaultDelays_s: readonly number[] = [
  5,
  30,
  2 * minute_s,
  10 * minute_s,
  30 * minute_s,
  hour_s,
  3 * hour_s,
  6 * hour_s,
  12 * hour_s,
];

/** Share by which delays vary, so that deliveries that failed together are not all tried again at once. */
const jitter = 0.1;

/**
 * Makes the queued attempt of a delivery and records its result; a failed one queues the next attempt. If the process
 * is killed in between, the attempt is made again, so an event may arrive twice, but is never lost.
 */
export async function deliver(
  store: DeliveryStore,
  { data, signal }: Pick<QueuedJob, 'data' | 'signal'>,
): Promise<void> {
  const due = await findDue(store, data);
  if (due === null) return;
  const begun = performance.now();
  const sent_at = new Date();
  const result = await attemptDelivery(store, due, sent_at, signal);
  // Returned to the queue, because an interrupted attempt says nothing about the receiver.
  signal.throwIfAborted();
  const duration_ms = Math.round(performance.now() - begun);
  await record(store, due, { ...result, duration_ms, last_attempt_at: sent_at });
  if (due.delivery.attempts === 0) await pruneDeliveries(store, due.delivery);
}

/** Deletes old deliveries of a tenant; a failure does no harm, since the next delivery tries again. */
async function pruneDeliveries(
  { database }: DeliveryStore,
  { tenant_id }: Pick<DeliveryRow, 'tenant_id'>,
): Promise<void> {
  const before = new Date(Date.now() - limits.notifications.kept_ms.value);
  await deliveryRows.pruneDeliveries({ sql: database.sql, tenant_id }, before).catch(() => {});
}

/** Counts an attempt as failed whose processes were all killed. */
export async function giveUpAttempt(store: DeliveryStore, data: JsonObject, reason: string): Promise<void> {
  const due = await findDue(store, data);
  if (due === null) return;
  const error = `every process that tried it ended: ${reason}`;
  const result = { outcome: 'failed' as const, response_status: null, error };
  await record(store, due, { ...result, duration_ms: null, last_attempt_at: new Date() });
}

/** Returns the delivery of a queued item; null if it was deleted, has ended, or this attempt was made before. */
async function findDue({ database }: DeliveryStore, data: JsonObject): Promise<DueDelivery | null> {
  const scope = { sql: database.sql, tenant_id: String(data.tenant_id) };
  const due = await deliveryRows.getDueDelivery(scope, String(data.delivery_id));
  const isDue = due?.delivery.status === 'pending' && due.delivery.attempts === Number(data.attempt);
  return isDue ? due : null;
}

async function attemptDelivery(
  { notifications, source_access }: DeliveryStore,
  { delivery, target, body }: DueDelivery,
  sent_at: Date,
  stop: AbortSignal,
): Promise<AttemptResult> {
  const refused = { outcome: 'refused', response_status: null } as const;
  if (!target.enabled && !delivery.forced) return { ...refused, error: 'it was disabled before it was sent' };
  const limit_ms = notifications?.attempt_ms ?? limits.notifications.attempt_ms.value;
  if (target.kind === 'webhook') {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(limit_ms)]);
    const message = { id: delivery.event_id, sent_at, body };
    return sendWebhook(target, message, { networks: source_access.web.networks, signal });
  }
  const mail = notifications?.mail ?? null;
  if (mail === null) return { ...refused, error: 'the operator has set no mail server (ASSAY_SMTP_HOST)' };
  const event = JSON.parse(body) as NotificationEvent;
  return sendEmail(mail, { to: target.destination, event, subscription: target.name }, limit_ms);
}

interface RecordedAttempt extends AttemptResult {
  readonly duration_ms: number | null;
  readonly last_attempt_at: Date;
}

async function record(
  store: DeliveryStore,
  { delivery, target }: DueDelivery,
  { outcome, ...attempt }: RecordedAttempt,
): Promise<void> {
  const { database, queue, notifications } = store;
  const scope: TenantScope = { sql: database.sql, tenant_id: delivery.tenant_id };
  const delays_s = notifications?.retry_delays_s ?? defaultDelays_s;
  const delay_s = outcome === 'failed' ? delays_s[delivery.attempts] : undefined;
  const after_s = delay_s === undefined ? null : delay_s * (1 + jitter * (2 * Math.random() - 1));
  await database.transaction(async () => {
    const recorded = await deliveryRows.recordAttempt(scope, delivery, {
      ...attempt,
      status: outcome === 'delivered' ? 'delivered' : after_s === null ? 'failed' : 'pending',
      next_attempt_at: after_s === null ? null : new Date(Date.now() + after_s * 1000),
    });
    if (!recorded) return;
    if (outcome === 'gone')
      await notificationTargetRows.updateTarget(scope, target.id, {
        enabled: false,
        disabled_reason: 'gone',
        updated_at: new Date(),
      });
    if (after_s === null) return;
    const next = { tenant_id: delivery.tenant_id, delivery_id: delivery.id, attempt: delivery.attempts + 1 };
    await queue.send('notification_steps', [next], { after_s });
  });
}
