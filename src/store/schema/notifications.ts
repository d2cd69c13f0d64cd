import type { NotificationEventType } from '#core/api';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** Targets of events: webhooks and email addresses. */
export const notificationTargets = pgTable(
  'notification_targets',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    kind: text('kind').$type<'webhook' | 'email'>().notNull(),
    /** Null for all projects and for events of the tenant. */
    project_id: text('project_id'),
    name: text('name').notNull(),
    /** URL of a webhook, or email address. */
    destination: text('destination').notNull(),
    /** Null for all types of events. */
    events: jsonb('events').$type<readonly NotificationEventType[]>(),
    /** Secret of a webhook. It cannot be stored as a hash, because every worker signs with it. */
    secret: text('secret'),
    /** Secret before the last rotation, with which deliveries are signed as well until `previous_secret_until`. */
    previous_secret: text('previous_secret'),
    previous_secret_until: at('previous_secret_until'),
    enabled: boolean('enabled').notNull(),
    /** `gone`: the receiver answered 410. */
    disabled_reason: text('disabled_reason').$type<'gone'>(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] })],
);

/** Events that are sent to at least one target. */
export const notificationEvents = pgTable(
  'notification_events',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    /** Body as JSON text, so that every attempt sends and signs the same bytes. */
    body: text('body').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('notification_events_age').on(t.tenant_id, t.created_at),
  ],
);

/** Deliveries of events to targets, written in the transaction of the event. */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    event_id: text('event_id').notNull(),
    target_id: text('target_id').notNull(),
    /** Sent although the target is disabled: tests and redeliveries. */
    forced: boolean('forced').notNull(),
    redelivery_of: text('redelivery_of'),
    status: text('status').$type<'pending' | 'delivered' | 'failed'>().notNull(),
    attempts: integer('attempts').notNull(),
    response_status: integer('response_status'),
    duration_ms: integer('duration_ms'),
    error: text('error'),
    created_at: createdAt(),
    last_attempt_at: at('last_attempt_at'),
    next_attempt_at: at('next_attempt_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('notification_deliveries_target').on(t.tenant_id, t.target_id, t.id),
    index('notification_deliveries_age').on(t.tenant_id, t.created_at),
  ],
);

/** State of a project's review queue, filled or empty, when it was last checked, so that filling it is reported once. */
export const reviewQueues = pgTable(
  'review_queues',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    filled: boolean('filled').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id] })],
);
