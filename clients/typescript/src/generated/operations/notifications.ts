// Written by `npm run generate` from src/core/api. Change it there.
import type {
  CreateEmailSubscriptionInput,
  CreateWebhookInput,
  DeleteEmailSubscriptionInput,
  DeleteWebhookInput,
  GetEmailSubscriptionInput,
  GetWebhookInput,
  ListEmailDeliveriesInput,
  ListEmailSubscriptionsInput,
  ListWebhookDeliveriesInput,
  ListWebhooksInput,
  RedeliverEmailInput,
  RedeliverWebhookInput,
  RotateWebhookSecretInput,
  TestEmailSubscriptionInput,
  TestWebhookInput,
  UpdateEmailSubscriptionInput,
  UpdateWebhookInput,
} from '../types/notifications-calls.ts';
import type {
  CreatedWebhook,
  EmailSubscription,
  NotificationDelivery,
  Webhook,
} from '../types/notifications.ts';
import type { Page } from '../types/shared.ts';

export interface NotificationsOperations {
  list_webhooks: {
    input: ListWebhooksInput;
    answer: Page<Webhook>;
    error: 'forbidden' | 'rate_limited' | 'unauthenticated';
  };
  create_webhook: {
    input: CreateWebhookInput;
    answer: CreatedWebhook;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_webhook: {
    input: GetWebhookInput;
    answer: Webhook;
    error: 'forbidden' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  update_webhook: {
    input: UpdateWebhookInput;
    answer: Webhook;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  delete_webhook: {
    input: DeleteWebhookInput;
    answer: undefined;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  rotate_webhook_secret: {
    input: RotateWebhookSecretInput;
    answer: CreatedWebhook;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  test_webhook: {
    input: TestWebhookInput;
    answer: NotificationDelivery;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_webhook_deliveries: {
    input: ListWebhookDeliveriesInput;
    answer: Page<NotificationDelivery>;
    error: 'forbidden' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  redeliver_webhook: {
    input: RedeliverWebhookInput;
    answer: NotificationDelivery;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_email_subscriptions: {
    input: ListEmailSubscriptionsInput;
    answer: Page<EmailSubscription>;
    error: 'forbidden' | 'rate_limited' | 'unauthenticated';
  };
  create_email_subscription: {
    input: CreateEmailSubscriptionInput;
    answer: EmailSubscription;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'limit_exceeded'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_email_subscription: {
    input: GetEmailSubscriptionInput;
    answer: EmailSubscription;
    error: 'forbidden' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  update_email_subscription: {
    input: UpdateEmailSubscriptionInput;
    answer: EmailSubscription;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  delete_email_subscription: {
    input: DeleteEmailSubscriptionInput;
    answer: undefined;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  test_email_subscription: {
    input: TestEmailSubscriptionInput;
    answer: NotificationDelivery;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_email_deliveries: {
    input: ListEmailDeliveriesInput;
    answer: Page<NotificationDelivery>;
    error: 'forbidden' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  redeliver_email: {
    input: RedeliverEmailInput;
    answer: NotificationDelivery;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
