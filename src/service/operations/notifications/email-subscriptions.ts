import { AssayError } from '#core';
import type { EmailSubscription } from '#core/api';
import type { Store, TargetRow } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { Page } from '../page.ts';
import {
  addTarget,
  changeTarget,
  type NewTarget,
  pageOfTargets,
  requireTarget,
  type TargetChange,
  type TargetId,
  type TargetListQuery,
} from './targets.ts';

/** Identifies an email subscription. */
export const subscriptionId = (id: string): TargetId => ({ kind: 'email', id });

/**
 * Subscribes an address to events of the tenant or of one project. Throws `not_ready` if there is no mail server,
 * `not_found` for the project, `limit_exceeded`.
 */
export async function createEmailSubscription(
  store: Store,
  call: Call,
  { email, ...input }: NewTarget & { readonly email: string },
): Promise<EmailSubscription> {
  requireRole(call, 'admin');
  if ((store.notifications?.mail ?? null) === null)
    throw new AssayError('not_ready', 'this service sends no email', {
      advice: 'the operator sets a mail server with ASSAY_SMTP_HOST and ASSAY_SMTP_FROM; or use a webhook',
    });
  const to = { kind: 'email', destination: email, secret: null } as const;
  return subscriptionOf(await addTarget(store, call, input, to));
}

/** Lists email subscriptions, newest first. */
export const listEmailSubscriptions = (
  store: Store,
  call: Call,
  query: TargetListQuery,
): Promise<Page<EmailSubscription>> => pageOfTargets(store, call, 'email', query, subscriptionOf);

/** Returns an email subscription. Throws `not_found`. */
export async function getEmailSubscription(store: Store, call: Call, id: string): Promise<EmailSubscription> {
  requireRole(call, 'admin');
  return subscriptionOf(await requireTarget(scopeOf(store, call), subscriptionId(id)));
}

/** Changes an email subscription. Throws `not_found`. */
export async function updateEmailSubscription(
  store: Store,
  call: Call,
  id: string,
  change: Omit<TargetChange, 'destination'>,
): Promise<EmailSubscription> {
  requireRole(call, 'admin');
  return subscriptionOf(await changeTarget(store, call, subscriptionId(id), change));
}

function subscriptionOf(row: TargetRow): EmailSubscription {
  const { id, name, project_id, enabled, created_by } = row;
  return {
    ...{ id, name, project_id, enabled, created_by },
    email: row.destination,
    events: row.events === null ? null : [...row.events],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
