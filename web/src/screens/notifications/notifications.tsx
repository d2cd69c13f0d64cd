import type { EmailSubscription, Webhook } from '#client';
import { useAct } from '../../api/use-act.ts';
import { others_ms, useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { time } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';
import { ShownOnce } from '../team/shown-once.tsx';
import { EmailDeliveries, WebhookDeliveries } from './deliveries.tsx';
import { NewSubscription } from './new-subscription.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { TargetItem } from './target-item.tsx';

/** Screen of webhooks and email subscriptions: adding, trying, disabling and deleting them, and their deliveries. */
export function NotificationsScreen() {
  const may = useMay('admin');
  if (!may)
    return (
      <Page title="Notifications">
        <p className="empty">Only admins can see and change notifications.</p>
      </Page>
    );
  return (
    <Page
      title="Notifications"
      note="Events are sent when runs finish, recordings are not usable, jobs fail, the review queue fills, or 80 % of the budget is spent."
    >
      <Panel title="Webhooks">
        <NewWebhook />
        <Webhooks />
      </Panel>
      <Panel title="Email">
        <NewSubscription />
        <Subscriptions />
      </Panel>
    </Page>
  );
}

function Webhooks() {
  // A receiver that answers 410 disables its webhook meanwhile.
  const list = useList('list_webhooks', { limit: 100 }, { every_ms: others_ms });
  return (
    <>
      <Loaded of={list} what="webhooks">
        {(items) =>
          items.length === 0 ? (
            <p className="empty">No webhooks yet. Add the address of a chat or of your own service above.</p>
          ) : (
            <ul className="target-list">
              {items.map((webhook) => (
                <WebhookItem key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <More list={list} what="webhooks" />
    </>
  );
}

function WebhookItem({ webhook }: { readonly webhook: Webhook }) {
  const { id: webhook_id } = webhook;
  const changed = ['list_webhooks', 'list_webhook_deliveries'] as const;
  const test = useAct('test_webhook', changed);
  const update = useAct('update_webhook', changed);
  const rotate = useAct('rotate_webhook_secret', changed);
  const remove = useAct('delete_webhook', changed);
  const isGone = webhook.disabled_reason === 'gone';
  return (
    <TargetItem
      {...webhook}
      address={webhook.url}
      note={
        isGone ? 'Disabled because the receiver answered 410 Gone. Check the address, then enable it.' : null
      }
      busy={test.isPending || update.isPending || rotate.isPending || remove.isPending}
      error={test.error ?? update.error ?? rotate.error ?? remove.error}
      onTest={() => test.mutate({ webhook_id })}
      onEnable={(enabled) => update.mutate({ webhook_id, enabled })}
      onDelete={() => remove.mutate({ webhook_id })}
      more={
        <Action needs="admin" busy={rotate.isPending} onAct={() => rotate.mutate({ webhook_id })}>
          New secret
        </Action>
      }
      result={
        rotate.data !== undefined && (
          <ShownOnce
            what={`New secret. The previous one is valid until ${time(rotate.data.previous_secret_until)}`}
            secret={rotate.data.secret}
          />
        )
      }
      deliveries={<WebhookDeliveries webhook_id={webhook_id} />}
    />
  );
}

function Subscriptions() {
  const list = useList('list_email_subscriptions', { limit: 100 });
  return (
    <>
      <Loaded of={list} what="email subscriptions">
        {(items) =>
          items.length === 0 ? (
            <p className="empty">No email subscriptions yet. Add an address above.</p>
          ) : (
            <ul className="target-list">
              {items.map((subscription) => (
                <SubscriptionItem key={subscription.id} subscription={subscription} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <More list={list} what="email subscriptions" />
    </>
  );
}

function SubscriptionItem({ subscription }: { readonly subscription: EmailSubscription }) {
  const { id: subscription_id } = subscription;
  const changed = ['list_email_subscriptions', 'list_email_deliveries'] as const;
  const test = useAct('test_email_subscription', changed);
  const update = useAct('update_email_subscription', changed);
  const remove = useAct('delete_email_subscription', changed);
  return (
    <TargetItem
      {...subscription}
      address={subscription.email}
      busy={test.isPending || update.isPending || remove.isPending}
      error={test.error ?? update.error ?? remove.error}
      onTest={() => test.mutate({ subscription_id })}
      onEnable={(enabled) => update.mutate({ subscription_id, enabled })}
      onDelete={() => remove.mutate({ subscription_id })}
      deliveries={<EmailDeliveries subscription_id={subscription_id} />}
    />
  );
}
