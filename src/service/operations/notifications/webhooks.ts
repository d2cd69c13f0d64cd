import { AssayError } from '#core';
import type { CreatedWebhook, Webhook } from '#core/api';
import { newWebhookSecret } from '#engine/notifications';
import { requireReachable } from '#io/sources/web';
import { notificationTargetRows, type Store, type TargetRow } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import type { Page } from '../page.ts';
import {
  addTarget,
  auditTarget,
  changeTarget,
  type NewTarget,
  pageOfTargets,
  requireTarget,
  type TargetChange,
  type TargetId,
  type TargetListQuery,
} from './targets.ts';

/** Time in ms for which deliveries are also signed with the previous secret. */
const overlap_ms = 24 * 60 * 60 * 1000;

/** Identifies a webhook. */
export const webhookId = (id: string): TargetId => ({ kind: 'webhook', id });

/**
 * Creates a webhook; only the answer contains the secret. Throws `not_found` for the project, `source_not_allowed` for
 * an address that the service does not connect to, `limit_exceeded`.
 */
export async function createWebhook(
  store: Store,
  call: Call,
  { url, ...input }: NewTarget & { readonly url: string },
): Promise<CreatedWebhook> {
  requireRole(call, 'admin');
  const destination = requireWebhookUrl(store, url);
  const secret = newWebhookSecret();
  const row = await addTarget(store, call, input, { kind: 'webhook', destination, secret });
  return { ...webhookOf(row), secret };
}

/** Returns the address in its normal form. Throws `source_not_allowed`, `invalid_request`. */
function requireWebhookUrl({ source_access }: Store, text: string): string {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw new AssayError(
      'invalid_request',
      'the address must not contain a user name, password or fragment',
      {
        advice: 'receivers check the signature instead; use the secret of the webhook',
        details: {
          errors: [{ pointer: '/body/url', message: 'must not contain credentials or a fragment' }],
        },
      },
    );
  requireReachable(source_access.web.networks, url);
  return url.href;
}

/** Lists webhooks without their secrets, newest first. */
export const listWebhooks = (store: Store, call: Call, query: TargetListQuery): Promise<Page<Webhook>> =>
  pageOfTargets(store, call, 'webhook', query, webhookOf);

/** Returns a webhook without its secret. Throws `not_found`. */
export async function getWebhook(store: Store, call: Call, id: string): Promise<Webhook> {
  requireRole(call, 'admin');
  return webhookOf(await requireTarget(scopeOf(store, call), webhookId(id)));
}

/** Changes a webhook. Throws `not_found`, `source_not_allowed`. */
export async function updateWebhook(
  store: Store,
  call: Call,
  id: string,
  { url, ...change }: Omit<TargetChange, 'destination'> & { readonly url?: string | undefined },
): Promise<Webhook> {
  requireRole(call, 'admin');
  const destination = url === undefined ? undefined : requireWebhookUrl(store, url);
  return webhookOf(await changeTarget(store, call, webhookId(id), { ...change, destination }));
}

/**
 * Replaces the secret of a webhook; only the answer contains the new one. Deliveries are signed with both for 24 hours.
 * Throws `not_found`.
 */
export async function rotateWebhookSecret(store: Store, call: Call, id: string): Promise<CreatedWebhook> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const before = await requireTarget(scope, webhookId(id), 'update');
    const secret = newWebhookSecret();
    const change = {
      secret,
      previous_secret: before.secret,
      previous_secret_until: new Date(call.now.getTime() + overlap_ms),
      updated_at: call.now,
    };
    await notificationTargetRows.updateTarget(scope, id, change);
    const after = { ...before, ...change };
    await auditTarget(store, call, 'rotate_secret', before, after);
    return { ...webhookOf(after), secret };
  });
}

function webhookOf(row: TargetRow): Webhook {
  const { id, name, project_id, enabled, disabled_reason, created_by, previous_secret_until: until } = row;
  return {
    ...{ id, name, project_id, enabled, disabled_reason, created_by },
    url: row.destination,
    events: row.events === null ? null : [...row.events],
    previous_secret_until: until === null || until < new Date() ? null : until.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
