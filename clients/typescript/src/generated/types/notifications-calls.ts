// Written by `npm run generate` from src/core/api. Change it there.
import type { NotificationEventType } from './notifications.ts';

export interface ListWebhooksInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly project_id?: string | undefined;
}

export interface CreateWebhookInput {
  readonly name: string;
  readonly project_id?: string | undefined;
  readonly events?: readonly NotificationEventType[] | undefined;
  readonly url: string;
}

export interface GetWebhookInput {
  readonly webhook_id: string;
}

export interface UpdateWebhookInput {
  readonly webhook_id: string;
  readonly name?: string | undefined;
  readonly events?: readonly NotificationEventType[] | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly url?: string | undefined;
}

export interface DeleteWebhookInput {
  readonly webhook_id: string;
}

export interface RotateWebhookSecretInput {
  readonly webhook_id: string;
}

export interface TestWebhookInput {
  readonly webhook_id: string;
}

export interface ListWebhookDeliveriesInput {
  readonly webhook_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined;
}

export interface RedeliverWebhookInput {
  readonly webhook_id: string;
  readonly delivery_id: string;
}

export interface ListEmailSubscriptionsInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly project_id?: string | undefined;
}

export interface CreateEmailSubscriptionInput {
  readonly name: string;
  readonly project_id?: string | undefined;
  readonly events?: readonly NotificationEventType[] | undefined;
  readonly email: string;
}

export interface GetEmailSubscriptionInput {
  readonly subscription_id: string;
}

export interface UpdateEmailSubscriptionInput {
  readonly subscription_id: string;
  readonly name?: string | undefined;
  readonly events?: readonly NotificationEventType[] | null | undefined;
  readonly enabled?: boolean | undefined;
}

export interface DeleteEmailSubscriptionInput {
  readonly subscription_id: string;
}

export interface TestEmailSubscriptionInput {
  readonly subscription_id: string;
}

export interface ListEmailDeliveriesInput {
  readonly subscription_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined;
}

export interface RedeliverEmailInput {
  readonly subscription_id: string;
  readonly delivery_id: string;
}
