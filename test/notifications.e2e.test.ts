import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { assessFolder } from './support/assessed-project.ts';
import { killableService, killDatabases, untilEnded } from './support/kills.ts';
import type { ServiceRequests } from './support/service-process.ts';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-notifications-'));
/** One episode each to accept, review and reject; and two that cannot be trained on. */
const [mixed, useless] = [join(place, 'recordings', 'mixed'), join(place, 'recordings', 'useless')];
const slow_ms = 180_000;

let receiver: WebhookReceiver;
beforeAll(async () => {
  const nothing = () => {};
  await writeTeleopLeRobot(mixed, 7, nothing, {
    episodes: 3,
    plan: { 1: ['nan', 'small'], 2: ['lag', 'medium'] },
  });
  await writeTeleopLeRobot(useless, 7, nothing, {
    episodes: 2,
    plan: { 0: ['nan', 'large'], 1: ['nan', 'large'] },
  });
  receiver = await startWebhookReceiver();
}, slow_ms);
afterAll(async () => {
  await receiver.close();
  rmSync(place, { recursive: true, force: true });
});

/** Assesses a folder in an existing project until the run has ended; gives the run. */
async function assessIn(service: ServiceRequests, project_id: string, path: string) {
  const source = await service.ask('POST', `/v1/projects/${project_id}/sources`, { kind: 'folder', path });
  return runAgain(service, project_id, source.id);
}

async function runAgain(service: ServiceRequests, project_id: string, source_id: string) {
  const run = await service.ask('POST', `/v1/projects/${project_id}/runs`, { source_id });
  return untilEnded(service, `/v1/runs/${run.id}`);
}

describe.each(killDatabases)('a service on the %s database', (on) => {
  test(
    'reports what happens once each, and after a kill what it had not delivered',
    async () => {
      const env = { ASSAY_SOURCE_WEB_NETWORKS: '127.0.0.1', ASSAY_PUBLIC_URL: 'https://assay.test/' };
      const killable = await killableService(on, join(place, `data-${on}`), join(place, 'recordings'), env);
      let service = await killable.start();
      onTestFinished(async () => {
        await service.kill();
        await killable.drop();
      });
      const path = `/${on}`;
      const webhook = await service.ask('POST', '/v1/webhooks', {
        name: 'all',
        url: receiver.address + path,
      });
      const types = () => receiver.received(path).map(({ event }) => event.type);

      const project_id = await assessFolder(service, mixed);
      const [filled, finished] = (await receiver.wait(path, 2)).toSorted((a, b) =>
        a.event.type < b.event.type ? -1 : 1,
      );
      expect(filled.event).toMatchObject({
        type: 'review_queue.filled',
        ...{ project_id, message: '1 episode of all waits for review.', data: { episodes: 1 } },
        links: { web: `https://assay.test/projects/${project_id}/review` },
      });
      expect(finished.event).toMatchObject({
        type: 'run.finished',
        message: 'Run of mixed in all finished: 3 episodes, 1 accepted, 1 to review, 1 rejected.',
        data: { status: 'succeeded', decisions: { accept: 1, review: 1, reject: 1 } },
      });
      expect(isSignedWith(webhook.secret, finished)).toBe(true);

      // The queue stays filled, so a second run reports its end only.
      const [{ source_id }] = (await service.ask('GET', `/v1/projects/${project_id}/runs`)).items;
      await runAgain(service, project_id, source_id);
      await receiver.wait(path, 3);
      expect(types().toSorted()).toEqual(['review_queue.filled', 'run.finished', 'run.finished']);

      // A run reports the queue again once it was seen empty.
      const waiting = (await service.ask('GET', `/v1/projects/${project_id}/episodes?decision=review`)).items;
      const review = await service.ask('POST', `/v1/episodes/${waiting[0].id}/reviews`, {
        decision: 'accept',
      });
      await runAgain(service, project_id, source_id);
      await receiver.wait(path, 4);
      expect(types().filter((type) => type === 'review_queue.filled')).toHaveLength(1);
      await service.ask('POST', `/v1/episodes/${waiting[0].id}/reviews/${review.id}/withdraw`);
      await runAgain(service, project_id, source_id);
      await receiver.wait(path, 6);
      expect(types().filter((type) => type === 'review_queue.filled')).toHaveLength(2);

      // Killed while the receiver has the request and has not answered.
      const before = receiver.received(path).length;
      receiver.answer(path, () => {});
      const run = await assessIn(service, project_id, useless);
      expect(run.usability.verdict).toBe('not_usable');
      await receiver.wait(path, before + 1);
      await service.kill();
      const held = receiver.received(path).slice(before);
      receiver.answer(path, (response) => void response.writeHead(200).end());
      service = await killable.start();
      await delivered(service, webhook.id);
      const again = receiver.received(path).slice(before + held.length);
      const ids = again.map(({ headers }) => headers['webhook-id']);
      for (const { headers } of held) expect(ids).toContain(headers['webhook-id']);
      expect(again.map(({ event }) => event.type).toSorted()).toEqual(['run.finished', 'set.not_usable']);
      expect(again.find(({ event }) => event.type === 'set.not_usable')?.event).toMatchObject({
        message: expect.stringMatching(/^The recordings of useless in all cannot be used for training: /),
        data: { run_id: run.id, reasons: ['non_finite_values'] },
      });
    },
    slow_ms,
  );
});

/** Waits until nothing is left to deliver to a webhook. */
async function delivered(service: ServiceRequests, webhook_id: string): Promise<void> {
  for (;;) {
    const { items } = await service.ask('GET', `/v1/webhooks/${webhook_id}/deliveries?status=pending`);
    if (items.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
