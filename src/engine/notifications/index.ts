export { deliver, giveUpAttempt } from './deliver.ts';
export {
  type NotificationStore,
  raiseEvent,
  raiseTestEvent,
  repeatDelivery,
} from './raise-event.ts';
export { newWebhookSecret } from './webhook-signature.ts';
