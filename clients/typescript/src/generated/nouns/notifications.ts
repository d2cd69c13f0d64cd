// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
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

export const notifications = ({ call }: Calls) => ({
  /**
   * List webhooks, newest first.
   *
   * With `project_id`, only webhooks that are limited to this project.
   *
   * Requires the role `admin` or higher.
   */
  listWebhooks: (input: ListWebhooksInput = {}, options?: CallOptions): Promise<Page<Webhook>> =>
    call('list_webhooks', input, options),

  /**
   * Create a webhook.
   *
   * Events are sent as `POST` with a JSON body (`NotificationEvent`), signed as the Standard Webhooks
   * specification describes. The secret is shown only once. The address must be `https://` and public;
   * the operator can allow other networks.
   *
   * Requires the role `admin` or higher.
   */
  createWebhook: (input: CreateWebhookInput, options?: CallOptions): Promise<CreatedWebhook> =>
    call('create_webhook', input, options),

  /**
   * Get a webhook.
   *
   * Requires the role `admin` or higher.
   */
  getWebhook: (input: GetWebhookInput, options?: CallOptions): Promise<Webhook> =>
    call('get_webhook', input, options),

  /**
   * Rename, redirect, enable or disable a webhook, or choose its events.
   *
   * Requires the role `admin` or higher.
   */
  updateWebhook: (input: UpdateWebhookInput, options?: CallOptions): Promise<Webhook> =>
    call('update_webhook', input, options),

  /**
   * Delete a webhook and its deliveries.
   *
   * Requires the role `admin` or higher.
   */
  deleteWebhook: (input: DeleteWebhookInput, options?: CallOptions): Promise<undefined> =>
    call('delete_webhook', input, options),

  /**
   * Replace the secret of a webhook.
   *
   * The new secret is shown only once. For 24 hours, deliveries are signed with both secrets, so that
   * receivers can change over.
   *
   * Requires the role `admin` or higher.
   */
  rotateWebhookSecret: (input: RotateWebhookSecretInput, options?: CallOptions): Promise<CreatedWebhook> =>
    call('rotate_webhook_secret', input, options),

  /**
   * Send a test event to a webhook.
   *
   * Works for disabled webhooks too. The answer is the queued delivery; list the deliveries for its
   * result.
   *
   * Requires the role `admin` or higher.
   */
  testWebhook: (input: TestWebhookInput, options?: CallOptions): Promise<NotificationDelivery> =>
    call('test_webhook', input, options),

  /**
   * List the deliveries of a webhook, newest first.
   *
   * Deliveries are kept for 30 days.
   *
   * Requires the role `admin` or higher.
   */
  listWebhookDeliveries: (
    input: ListWebhookDeliveriesInput,
    options?: CallOptions,
  ): Promise<Page<NotificationDelivery>> => call('list_webhook_deliveries', input, options),

  /**
   * Send the event of a delivery to the webhook again.
   *
   * Requires the role `admin` or higher.
   */
  redeliverWebhook: (input: RedeliverWebhookInput, options?: CallOptions): Promise<NotificationDelivery> =>
    call('redeliver_webhook', input, options),

  /**
   * List email subscriptions, newest first.
   *
   * With `project_id`, only subscriptions that are limited to this project.
   *
   * Requires the role `admin` or higher.
   */
  listEmailSubscriptions: (
    input: ListEmailSubscriptionsInput = {},
    options?: CallOptions,
  ): Promise<Page<EmailSubscription>> => call('list_email_subscriptions', input, options),

  /**
   * Subscribe an email address to events.
   *
   * Returns 409 `not_ready` if the operator has set no mail server.
   *
   * Requires the role `admin` or higher.
   */
  createEmailSubscription: (
    input: CreateEmailSubscriptionInput,
    options?: CallOptions,
  ): Promise<EmailSubscription> => call('create_email_subscription', input, options),

  /**
   * Get an email subscription.
   *
   * Requires the role `admin` or higher.
   */
  getEmailSubscription: (
    input: GetEmailSubscriptionInput,
    options?: CallOptions,
  ): Promise<EmailSubscription> => call('get_email_subscription', input, options),

  /**
   * Rename, enable or disable an email subscription, or choose its events.
   *
   * Requires the role `admin` or higher.
   */
  updateEmailSubscription: (
    input: UpdateEmailSubscriptionInput,
    options?: CallOptions,
  ): Promise<EmailSubscription> => call('update_email_subscription', input, options),

  /**
   * Delete an email subscription and its deliveries.
   *
   * Requires the role `admin` or higher.
   */
  deleteEmailSubscription: (input: DeleteEmailSubscriptionInput, options?: CallOptions): Promise<undefined> =>
    call('delete_email_subscription', input, options),

  /**
   * Send a test event to a subscribed address.
   *
   * Works for disabled subscriptions too. The answer is the queued delivery; list the deliveries for its
   * result.
   *
   * Requires the role `admin` or higher.
   */
  testEmailSubscription: (
    input: TestEmailSubscriptionInput,
    options?: CallOptions,
  ): Promise<NotificationDelivery> => call('test_email_subscription', input, options),

  /**
   * List the deliveries of an email subscription, newest first.
   *
   * Deliveries are kept for 30 days.
   *
   * Requires the role `admin` or higher.
   */
  listEmailDeliveries: (
    input: ListEmailDeliveriesInput,
    options?: CallOptions,
  ): Promise<Page<NotificationDelivery>> => call('list_email_deliveries', input, options),

  /**
   * Send the event of a delivery to the address again.
   *
   * Requires the role `admin` or higher.
   */
  redeliverEmail: (input: RedeliverEmailInput, options?: CallOptions): Promise<NotificationDelivery> =>
    call('redeliver_email', input, options),
});
