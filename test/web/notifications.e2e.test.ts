import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { type Pages, pagesOf, shoot } from './test-project.ts';
import { type OwnWebService, startWebService, wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(
  `notifications in the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let receiver: WebhookReceiver;
    let mail: MailReceiver;
    let service: OwnWebService;
    let pages: Pages;
    beforeAll(async () => {
      [receiver, mail] = await Promise.all([startWebhookReceiver(), startMailReceiver()]);
      service = await startWebService({
        ASSAY_SOURCE_WEB_NETWORKS: '127.0.0.1',
        ...{ ASSAY_SMTP_HOST: '127.0.0.1', ASSAY_SMTP_PORT: String(mail.port), ASSAY_SMTP_TLS: 'none' },
        ASSAY_SMTP_FROM: 'assay@example.org',
      });
      pages = pagesOf(service);
    }, 300_000);
    afterAll(async () => {
      await pages?.close();
      await service?.stop();
      await Promise.all([receiver.close(), mail.close()]);
    });

    it('add a webhook, try it, show its deliveries, disable and delete it', async () => {
      const page = await pages.open('admin', '/notifications');
      const webhooks = page.getByRole('region', { name: 'Webhooks', exact: true });
      await webhooks.getByText('No webhooks yet').waitFor(wait);
      await shoot(page, 'notifications-empty');
      await webhooks.getByLabel('Webhook name').fill('inside');
      await webhooks.getByLabel('Address').fill('https://10.0.0.1/');
      await webhooks.getByRole('button', { name: 'Add webhook' }).click();
      await webhooks.getByRole('alert').getByText('does not have a public address').waitFor(wait);
      await webhooks.getByText('the operator can allow a private network').waitFor(wait);

      await webhooks.getByLabel('Webhook name').fill('Data team');
      await webhooks.getByLabel('Address').fill(`${receiver.address}/chat`);
      await webhooks.getByLabel('Annotation job failed').uncheck();
      await webhooks.getByRole('button', { name: 'Add webhook' }).click();
      await webhooks.getByText('Copy it now; it is not shown again').waitFor(wait);
      const item = webhooks.getByRole('listitem').filter({ hasText: 'Data team' });
      await item.getByRole('button', { name: 'Send test' }).click();
      const [{ event }] = await receiver.wait('/chat', 1);
      expect(event.type).toBe('test');
      await item.getByRole('cell', { name: 'Delivered' }).waitFor(wait);
      receiver.answer('/chat', (response) => response.writeHead(500).end());
      await item.getByRole('button', { name: 'Send again' }).click();
      await item.getByText('the receiver answered 500').waitFor(wait);
      await shoot(page, 'notifications-deliveries');
      await expectAccessible(page);

      await item.getByRole('button', { name: 'Disable' }).click();
      await item.getByText('disabled', { exact: true }).waitFor(wait);
      await item.getByRole('button', { name: 'Delete', exact: true }).click();
      await item.getByRole('button', { name: 'Delete Data team' }).click();
      await webhooks.getByText('No webhooks yet').waitFor(wait);
    });

    it('say when the receiver wants no more events, and give a new secret', async () => {
      const { notifications } = service.client;
      receiver.answer('/gone', (response) => response.writeHead(410).end());
      const { id } = await notifications.createWebhook({ name: 'Gone', url: `${receiver.address}/gone` });
      const page = await pages.open('admin', '/notifications');
      const item = page.getByRole('listitem').filter({ hasText: 'Gone' });
      await item.getByRole('button', { name: 'Send test' }).click();
      await item.getByText('Disabled because the receiver answered 410').waitFor(wait);
      await item.getByRole('button', { name: 'New secret' }).click();
      await item.getByText('The previous one is valid until').waitFor(wait);
      await item.getByRole('button', { name: 'Enable' }).click();
      await item.getByRole('button', { name: 'Disable' }).waitFor(wait);
      expect(await notifications.getWebhook({ webhook_id: id })).toMatchObject({ enabled: true });
    });

    it('subscribe an email address', async () => {
      const page = await pages.open('admin', '/notifications');
      const email = page.getByRole('region', { name: 'Email', exact: true });
      await email.getByText('No email subscriptions yet').waitFor(wait);
      await email.getByLabel('Subscription name').fill('Reviewers');
      await email.getByLabel('Email address').fill('review@example.org');
      await email.getByRole('button', { name: 'Add subscription' }).click();
      const item = email.getByRole('listitem').filter({ hasText: 'Reviewers' });
      await item.getByRole('button', { name: 'Send test' }).click();
      await mail.wait('review@example.org', 1);
      await item.getByRole('cell', { name: 'Delivered' }).waitFor(wait);
      await expectAccessible(page);
    });

    it('tell others that only admins see them', async () => {
      const page = await pages.open('engineer', '/notifications');
      await page.getByText('Only admins can see and change notifications.').waitFor(wait);
    });
  },
);
