import type { notificationOperations } from '#core/api/operations';
import {
  createEmailSubscription,
  createWebhook,
  getEmailSubscription,
  getWebhook,
  listDeliveries,
  listEmailSubscriptions,
  listWebhooks,
  redeliver,
  removeTarget,
  rotateWebhookSecret,
  sendTestEvent,
  subscriptionId,
  updateEmailSubscription,
  updateWebhook,
  webhookId,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of webhooks, email subscriptions and their deliveries. */
export const notificationHandlers = {
  list_webhooks: ({ store, call }, { query }) => listWebhooks(store, call, query),
  create_webhook: ({ store, call }, { body }) => createWebhook(store, call, body),
  get_webhook: ({ store, call }, { params }) => getWebhook(store, call, params.webhook_id),
  update_webhook: ({ store, call }, { params, body }) => updateWebhook(store, call, params.webhook_id, body),
  rotate_webhook_secret: ({ store, call }, { params }) => rotateWebhookSecret(store, call, params.webhook_id),
  delete_webhook: async ({ store, call }, { params }) => {
    await removeTarget(store, call, webhookId(params.webhook_id));
    return undefined;
  },
  test_webhook: ({ store, call }, { params }) => sendTestEvent(store, call, webhookId(params.webhook_id)),
  list_webhook_deliveries: ({ store, call }, { params, query }) =>
    listDeliveries(store, call, webhookId(params.webhook_id), query),
  redeliver_webhook: ({ store, call }, { params }) =>
    redeliver(store, call, webhookId(params.webhook_id), params.delivery_id),
  list_email_subscriptions: ({ store, call }, { query }) => listEmailSubscriptions(store, call, query),
  create_email_subscription: ({ store, call }, { body }) => createEmailSubscription(store, call, body),
  get_email_subscription: ({ store, call }, { params }) =>
    getEmailSubscription(store, call, params.subscription_id),
  update_email_subscription: ({ store, call }, { params, body }) =>
    updateEmailSubscription(store, call, params.subscription_id, body),
  delete_email_subscription: async ({ store, call }, { params }) => {
    await removeTarget(store, call, subscriptionId(params.subscription_id));
    return undefined;
  },
  test_email_subscription: ({ store, call }, { params }) =>
    sendTestEvent(store, call, subscriptionId(params.subscription_id)),
  list_email_deliveries: ({ store, call }, { params, query }) =>
    listDeliveries(store, call, subscriptionId(params.subscription_id), query),
  redeliver_email: ({ store, call }, { params }) =>
    redeliver(store, call, subscriptionId(params.subscription_id), params.delivery_id),
} satisfies HandlersOf<typeof notificationOperations>;
