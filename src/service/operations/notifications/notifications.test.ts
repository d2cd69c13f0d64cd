import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core';
import type { NotificationDelivery } from '#core/api';
import { charge } from '#engine/budget';
import { deliver, raiseEvent } from '#engine/notifications';
import { openQueue } from '#store';
import { type MailReceiver, startMailReceiver } from '#test/support/mail-receiver';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver';
import { listAudit } from '../audit/audit-log.ts';
import { setBudget } from '../budget.ts';
import { type Call, scopeOf } from '../call.ts';
import { createProject, deleteProject } from '../projects/manage-projects.ts';
import { createWorkspace } from '../workspaces.ts';
import { listDeliveries, redeliver, sendTestEvent } from './deliveries.ts';
import { createEmailSubscription, listEmailSubscriptions, subscriptionId } from './email-subscriptions.ts';
import { removeTarget, type TargetId } from './targets.ts';
import {
  createWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  webhookId,
} from './webhooks.ts';

const slow_ms = 60_000;

describe.each(serviceDatabases)('notifications on the %s database', (on) => {
  let store: TestStore;
  let receiver: WebhookReceiver;
  let mail: MailReceiver;
  beforeAll(async () => {
    [receiver, mail] = await Promise.all([startWebhookReceiver(), startMailReceiver()]);
    store = await openTestStore({
      on,
      queue: (database) => openQueue(database, { worker: 'test' }),
      source_access: {
        web: {
          ...{ allows: 'none', endpoint: 'https://hub.test', token: null, token_tenants: [], max_bytes: 1 },
          networks: ['127.0.0.1'],
        },
      },
      notifications: {
        public_url: 'https://assay.test',
        mail: {
          ...{ host: '127.0.0.1', port: mail.port, tls: 'none', login: null },
          from: 'Assay <assay@example.org>',
        },
        retry_delays_s: [0.1, 0.1],
        attempt_ms: 1000,
      },
    });
    await store.queue.work('notification_steps', (item) => deliver(store, item), { at_once: 4 });
  }, slow_ms);
  afterAll(async () => {
    await store.close();
    await Promise.all([receiver.close(), mail.close()]);
  });

  /** A webhook of a new tenant, at a path of its own. */
  const newWebhook = async (call: Call = callAs('admin'), more: object = {}) => {
    const path = `/${newId('req')}`;
    const created = await createWebhook(store, call, { name: 'chat', url: receiver.address + path, ...more });
    return { call, path, ...created };
  };
  const raise = (call: Call, project_id: string | null = null) =>
    store.database.transaction(() =>
      raiseEvent(store, scopeOf(store, call), { type: 'budget.threshold_reached', project_id }, async () => ({
        message: '81 % of the weekly budget is spent.',
        links: { web: '/budget', api: '/v1/budget' },
        data: { threshold: 0.8, cap_usd: 10, spent_usd: 8.1, reserved_usd: 0 },
      })),
    );
  const deliveries = async (call: Call, target: TargetId): Promise<NotificationDelivery[]> =>
    (await listDeliveries(store, call, target, { limit: 50 })).items;
  /** The newest delivery once it has ended. */
  const ended = async (call: Call, target: TargetId): Promise<NotificationDelivery> => {
    for (;;) {
      const [newest] = await deliveries(call, target);
      if (newest !== undefined && newest.status !== 'pending') return newest;
      await wait(20);
    }
  };

  test('an event arrives with the signature of its secret, and nothing else shows the secret', async () => {
    const { call, path, id, secret } = await newWebhook();
    await raise(call);
    const [received] = await receiver.wait(path, 1);
    expect(isSignedWith(secret, received)).toBe(true);
    expect(isSignedWith(`whsec_${Buffer.alloc(32).toString('base64')}`, received)).toBe(false);
    const delivery = await ended(call, webhookId(id));
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, response_status: 204, error: null });
    expect(received.headers['webhook-id']).toBe(delivery.event.id);
    expect(received.event).toEqual(delivery.event);
    expect(received.event).toMatchObject({
      ...{ schema: 'assay/event/v1', type: 'budget.threshold_reached', project_id: null },
      tenant_id: call.actor.tenant_id,
      links: { web: 'https://assay.test/budget', api: 'https://assay.test/v1/budget' },
    });
    const shown = JSON.stringify([
      await getWebhook(store, call, id),
      await listWebhooks(store, call, { limit: 50 }),
      await listAudit(store, call, { limit: 50 }),
    ]);
    expect(shown).toContain(id);
    expect(shown).not.toContain(secret.slice(6));
  });

  test(
    'a receiver that fails twice gets the same event again',
    async () => {
      const { call, path, id, secret } = await newWebhook();
      receiver.answer(path, (response) =>
        response.writeHead(receiver.received(path).length <= 2 ? 500 : 200).end('answer'),
      );
      await raise(call);
      const received = await receiver.wait(path, 3);
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(received.every((one) => isSignedWith(secret, one))).toBe(true);
      expect(await ended(call, webhookId(id))).toMatchObject({ status: 'delivered', attempts: 3 });
    },
    slow_ms,
  );

  test(
    'a delivery fails after the last attempt and can be sent again',
    async () => {
      const { call, path, id } = await newWebhook();
      receiver.answer(path, (response) => response.writeHead(503).end());
      await raise(call);
      const failed = await ended(call, webhookId(id));
      expect(failed).toMatchObject({
        status: 'failed',
        attempts: 3,
        response_status: 503,
        next_attempt_at: null,
      });
      expect(failed.error).toBe('the receiver answered 503');
      receiver.answer(path, (response) => response.writeHead(200).end());
      const again = await redeliver(store, call, webhookId(id), failed.id);
      expect(again).toMatchObject({ status: 'pending', attempts: 0, redelivery_of: failed.id });
      expect(again.event).toEqual(failed.event);
      expect(await ended(call, webhookId(id))).toMatchObject({ id: again.id, status: 'delivered' });
    },
    slow_ms,
  );

  test(
    'a receiver that hangs is given up after the time limit',
    async () => {
      const { call, path, id } = await newWebhook();
      receiver.answer(path, (response) => void response.writeHead(200).write('slow'));
      await raise(call);
      const delivery = await ended(call, webhookId(id));
      expect(delivery).toMatchObject({ status: 'failed', error: 'no answer within the time limit' });
      expect(delivery.duration_ms).toBeGreaterThanOrEqual(900);
      expect(delivery.duration_ms).toBeLessThan(5000);
    },
    slow_ms,
  );

  test(
    'an endless answer is cut off',
    async () => {
      const { call, path, id } = await newWebhook();
      let written = 0;
      receiver.answer(path, (response) => {
        response.writeHead(200);
        const more = () => {
          written += 65_536;
          if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(more));
        };
        more();
      });
      await raise(call);
      expect(await ended(call, webhookId(id))).toMatchObject({ status: 'delivered', response_status: 200 });
      expect(written).toBeLessThan(100 * 65_536);
    },
    slow_ms,
  );

  test(
    'redirects are not followed',
    async () => {
      const [{ call, path, id }, elsewhere] = [await newWebhook(), `/${newId('req')}`];
      receiver.answer(path, (response) => response.writeHead(302, { location: elsewhere }).end());
      await raise(call);
      const delivery = await ended(call, webhookId(id));
      expect(delivery).toMatchObject({ status: 'failed', response_status: 302 });
      expect(delivery.error).toContain('redirects are not followed');
      expect(receiver.received(elsewhere)).toEqual([]);
    },
    slow_ms,
  );

  test(
    '410 disables the webhook until an admin enables it again',
    async () => {
      const { call, path, id } = await newWebhook();
      receiver.answer(path, (response) => response.writeHead(410).end());
      await raise(call);
      expect(await ended(call, webhookId(id))).toMatchObject({ status: 'failed', attempts: 1 });
      expect(await getWebhook(store, call, id)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
      await raise(call);
      expect(await deliveries(call, webhookId(id))).toHaveLength(1);
      await updateWebhook(store, call, id, { enabled: true });
      expect(await getWebhook(store, call, id)).toMatchObject({ enabled: true, disabled_reason: null });
    },
    slow_ms,
  );

  test('after a rotation both secrets are valid, and only the answer shows the new one', async () => {
    const { call, path, id, secret } = await newWebhook();
    const rotated = await rotateWebhookSecret(store, call, id);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.previous_secret_until).not.toBeNull();
    await raise(call);
    const [received] = await receiver.wait(path, 1);
    expect([isSignedWith(secret, received), isSignedWith(rotated.secret, received)]).toEqual([true, true]);
    expect(JSON.stringify(await getWebhook(store, call, id))).not.toContain('whsec_');
  });

  test('private addresses are refused when a webhook is created and when a name leads to one', async () => {
    const call = callAs('admin');
    const refused = [
      'https://10.0.0.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://0x7f000002/',
      'http://203.0.113.9/',
    ];
    for (const url of refused)
      await expect(createWebhook(store, call, { name: 'inside', url }), url).rejects.toMatchObject({
        code: 'source_not_allowed',
      });
    await expect(
      createWebhook(store, call, { name: 'login', url: 'https://user:pass@example.org/' }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    // `localhost` may lead to ::1 and to 127.0.0.1; only the latter is allowed here.
    const strict = {
      ...store,
      source_access: { ...store.source_access, web: { ...store.source_access.web, networks: [] } },
    };
    await expect(createWebhook(strict, call, { name: 'plain', url: receiver.address })).rejects.toMatchObject(
      {
        code: 'source_not_allowed',
      },
    );
    const { id } = await createWebhook(strict, call, { name: 'name', url: 'https://localhost:1/' });
    const item = { signal: new AbortController().signal };
    // Not taken by the queue of the other tests: it has other networks.
    const sent = { ...strict, queue: { ...store.queue, send: async () => {} } };
    const delivery = await sendTestEvent(sent, call, webhookId(id));
    await deliver(sent, {
      ...item,
      data: { tenant_id: call.actor.tenant_id, delivery_id: delivery.id, attempt: 0 },
    });
    const [attempted] = await deliveries(call, webhookId(id));
    expect(attempted).toMatchObject({ attempts: 1, response_status: null });
    expect(attempted.error).toBe('localhost does not have a public address');
  });

  test('a webhook gets the events of its types and its project only', async () => {
    const call = callAs('admin');
    const workspace = await createWorkspace(store, call, { name: 'lab', use_case: 'data-assessment' });
    const made = { workspace_id: workspace.id, target_profile: 'vla' } as const;
    const project = await createProject(store, call, { ...made, name: 'one' });
    const other = await createProject(store, call, { ...made, name: 'other' });
    const all = await newWebhook(call);
    const ofProject = await newWebhook(call, { project_id: project.id });
    const ofOther = await newWebhook(call, { project_id: other.id });
    const ofRuns = await newWebhook(call, { events: ['run.finished'] });
    const off = await newWebhook(call);
    await updateWebhook(store, call, off.id, { enabled: false });
    await raise(call, project.id);
    const counts = async () =>
      Promise.all(
        [all, ofProject, ofOther, ofRuns, off].map(
          async ({ id }) => (await deliveries(call, webhookId(id))).length,
        ),
      );
    expect(await counts()).toEqual([1, 1, 0, 0, 0]);
    await raise(call);
    expect(await counts()).toEqual([2, 1, 0, 0, 0]);
    await deleteProject(store, call, { project_id: project.id });
    expect((await listWebhooks(store, call, { limit: 50 })).items).toHaveLength(4);
    expect((await listWebhooks(store, call, { limit: 50, project_id: other.id })).items).toMatchObject([
      { id: ofOther.id },
    ]);
  });

  test('an event whose transaction is rolled back is not sent', async () => {
    const { call, path, id } = await newWebhook();
    await expect(
      store.database.transaction(async () => {
        await raise(call);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await sendTestEvent(store, call, webhookId(id));
    const received = await receiver.wait(path, 1);
    expect(received.map(({ event }) => event.type)).toEqual(['test']);
    expect(await deliveries(call, webhookId(id))).toHaveLength(1);
  });

  test('other tenants see nothing, and lower roles may nothing', async () => {
    const { call, id } = await newWebhook();
    const delivery = await sendTestEvent(store, call, webhookId(id));
    const stranger = callAs('admin');
    const of = webhookId(id);
    for (const act of [
      () => getWebhook(store, stranger, id),
      () => updateWebhook(store, stranger, id, { enabled: false }),
      () => rotateWebhookSecret(store, stranger, id),
      () => sendTestEvent(store, stranger, of),
      () => listDeliveries(store, stranger, of, { limit: 1 }),
      () => redeliver(store, stranger, of, delivery.id),
      () => removeTarget(store, stranger, of),
      // Ids of another kind are unknown too.
      () => removeTarget(store, call, subscriptionId(id)),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'not_found' });
    expect((await listWebhooks(store, stranger, { limit: 50 })).items).toEqual([]);
    const engineer = callAs('engineer', call.actor.tenant_id);
    await expect(listWebhooks(store, engineer, { limit: 1 })).rejects.toMatchObject({ code: 'forbidden' });
    await removeTarget(store, call, of);
    await expect(getWebhook(store, call, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test(
    'an email arrives, is tried again after a temporary refusal, and not after a final one',
    async () => {
      const call = callAs('admin');
      const subscribe = async (email: string) =>
        subscriptionId((await createEmailSubscription(store, call, { name: 'Reviewers', email })).id);
      const [good, busy, gone] = await Promise.all(
        ['good', 'busy', 'gone'].map((name) => subscribe(`${name}@example.org`)),
      );
      mail.answer('busy@example.org', '450 try later');
      mail.answer('gone@example.org', '550 no such user');
      await raise(call);
      const [{ text }] = await mail.wait('good@example.org', 1);
      expect(text).toMatch(/^From: Assay <assay@example.org>$/m);
      expect(text).toMatch(/^To: good@example.org$/m);
      expect(text).toMatch(/^Subject: \[Assay\] Budget nearly spent: 81 % of the weekly budget/m);
      expect(text).toContain('https://assay.test/budget');
      expect(await ended(call, good)).toMatchObject({
        status: 'delivered',
        attempts: 1,
        response_status: 250,
      });
      expect(await ended(call, gone)).toMatchObject({ status: 'failed', attempts: 1, response_status: 550 });
      mail.answer('busy@example.org', null);
      expect(await ended(call, busy)).toMatchObject({ status: 'delivered' });
      expect((await listEmailSubscriptions(store, call, { limit: 50 })).items).toHaveLength(3);
    },
    slow_ms,
  );

  test('email without a mail server is refused with advice', async () => {
    const without = { ...store, notifications: { public_url: null, mail: null } };
    await expect(
      createEmailSubscription(without, callAs('admin'), { name: 'team', email: 'team@example.org' }),
    ).rejects.toMatchObject({ code: 'not_ready', advice: expect.stringContaining('ASSAY_SMTP_HOST') });
  });

  test(
    'the budget is reported once when 80 % of the cap are spent, and again for another cap',
    async () => {
      const { call, path } = await newWebhook();
      await setBudget(store, call, { cap_usd: 10 });
      const till = { store, scope: scopeOf(store, call), now: call.now };
      const spend = (amount_usd: number) =>
        charge(till, { purpose_id: newId('job'), project_id: null }, null, {
          ...{ layer: 'depth', model: null, compute_s: 1, amount_usd },
        });
      await spend(7.9);
      expect(receiver.received(path)).toHaveLength(0);
      await Promise.all([spend(0.2), spend(0.2), spend(0.2)]);
      const [{ event }] = await receiver.wait(path, 1);
      expect(event).toMatchObject({ type: 'budget.threshold_reached', data: { cap_usd: 10 } });
      await setBudget(store, call, { cap_usd: 20 });
      await setBudget(store, call, { cap_usd: 9 });
      const received = await receiver.wait(path, 2);
      expect(received.map(({ event: { data } }) => data)).toMatchObject([{ cap_usd: 10 }, { cap_usd: 9 }]);
      expect((await listWebhooks(store, call, { limit: 1 })).items).toHaveLength(1);
    },
    slow_ms,
  );
});
