import type { ReactNode } from 'react';
import type { NotificationDelivery } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { time } from '../../components/words.ts';

/** Interval in ms between refetches while deliveries are shown. */
const refetch_ms = 2000;

/** Deliveries of a webhook, each with its result and a button to send it again. */
export function WebhookDeliveries({ webhook_id }: { readonly webhook_id: string }) {
  const list = useList('list_webhook_deliveries', { webhook_id, limit: 20 }, { every_ms: refetch_ms });
  const again = useAct('redeliver_webhook', ['list_webhook_deliveries']);
  return (
    <DeliveryTable
      list={list}
      busy={again.isPending}
      error={again.error}
      onAgain={(delivery_id) => again.mutate({ webhook_id, delivery_id })}
    />
  );
}

/** Deliveries of an email subscription, each with its result and a button to send it again. */
export function EmailDeliveries({ subscription_id }: { readonly subscription_id: string }) {
  const list = useList('list_email_deliveries', { subscription_id, limit: 20 }, { every_ms: refetch_ms });
  const again = useAct('redeliver_email', ['list_email_deliveries']);
  return (
    <DeliveryTable
      list={list}
      busy={again.isPending}
      error={again.error}
      onAgain={(delivery_id) => again.mutate({ subscription_id, delivery_id })}
    />
  );
}

interface DeliveryTableProps {
  readonly list: ReturnType<typeof useList<'list_webhook_deliveries'>>;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onAgain: (delivery_id: string) => void;
}

function DeliveryTable({ list, busy, error, onAgain }: DeliveryTableProps) {
  const actions: Column<NotificationDelivery> = {
    title: 'Action',
    cell: ({ id, status }) =>
      status === 'pending' ? null : (
        <Action needs="admin" busy={busy} onAct={() => onAgain(id)}>
          Send again
        </Action>
      ),
  };
  return (
    <>
      <Loaded of={list} what="deliveries">
        {(items) => (
          <DataTable
            caption="Deliveries"
            columns={[...columns, actions]}
            rows={items}
            keyOf={({ id }) => id}
            none="No deliveries in the last 30 days. Send a test event to try it."
          />
        )}
      </Loaded>
      {error !== null && <Complaint error={error} />}
      <More list={list} what="deliveries" />
    </>
  );
}

const columns: readonly Column<NotificationDelivery>[] = [
  { title: 'Time', cell: ({ created_at }) => time(created_at) },
  { title: 'Event', wide: true, cell: ({ event }) => event.message },
  { title: 'State', cell: stateOf },
  { title: 'Attempts', number: true, cell: ({ attempts }) => attempts },
  { title: 'Response', number: true, cell: ({ response_status }) => response_status ?? '–' },
  {
    title: 'Duration',
    number: true,
    cell: ({ duration_ms }) => (duration_ms === null ? '–' : `${duration_ms} ms`),
  },
];

function stateOf({ status, error, attempts, next_attempt_at }: NotificationDelivery): ReactNode {
  if (status === 'delivered') return 'Delivered';
  const reason = error === null ? null : <span className="faint"> {error}</span>;
  if (status === 'failed') return <>Failed:{reason}</>;
  return attempts === 0 ? (
    'Queued'
  ) : (
    <>
      Next attempt {time(next_attempt_at)}:{reason}
    </>
  );
}
