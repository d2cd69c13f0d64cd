import type { Role } from '@assay/client';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser } from '../report-browser.ts';
import { assessSome, few, startWebService } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';
/** A busy machine answers late. */
const wait = { timeout: 30_000 };
/** What the clock of a page goes on by until the page must have asked. */
const promised_ms = 2000;

/**
 * The clock of the page that looks on stands still, and goes on by two seconds once the decision is made: what it asks within
 * them it shows, however late a busy machine answers.
 */
describe.skipIf(chromiumPath === undefined)(
  `two people at once in the web application${reason}`,
  { timeout: 180_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    let project_id: string;
    const contexts: BrowserContext[] = [];
    beforeAll(async () => {
      service = await startWebService();
      ({ project_id } = await assessSome(service, few));
    }, 600_000);
    afterAll(async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await service?.stop();
    });

    async function opened(role: Role): Promise<Page> {
      const context = await openBrowser();
      contexts.push(context);
      return service.signedIn(context, role);
    }

    /** A page that shows something, with its clock standing. */
    async function onlooker(path: string, shows: string | RegExp): Promise<Page> {
      const page = await opened('viewer');
      await page.clock.install();
      await page.goto(service.address + path);
      await page.getByText(shows).first().waitFor(wait);
      await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1000'));
      return page;
    }

    /** Two seconds of the page's clock; of what it asks later nothing is answered, and its clock may run. */
    async function goOn(page: Page): Promise<void> {
      const asked = page.waitForRequest(/\/v1\//, wait);
      await page.clock.runFor(promised_ms);
      await asked;
      await page.route(/\/v1\//, (route) => route.abort());
      await page.clock.resume();
    }

    it('see each other’s decisions on every screen that shows any', async () => {
      const below = `/projects/${project_id}`;
      const { items } = await service.client.episodes.list({
        project_id,
        decision: ['review'],
        sort: 'score',
      });
      const [{ id, name }] = items;
      const looking = [
        ['/', `${items.length} episodes to review`, `${items.length - 1} episode`],
        [below, '0, 0 otherwise', '1, 1 otherwise'],
        [`${below}/episodes/${id}`, 'No person has decided yet', 'the gripper slipped'],
        [`${below}/episodes?review_decision=["reject"]`, 'No episode is like this', name],
        [`${below}/review`, `${items.length} episodes waiting`, `Somebody else has decided on ${name}.`],
      ] as const;
      const pages = await Promise.all(looking.map(([path, before]) => onlooker(path, before)));
      const mine = await opened('reviewer');
      await mine.goto(`${service.address}${below}/episodes/${id}`);
      await mine.getByLabel('Note').fill('the gripper slipped');
      await mine.getByRole('button', { name: 'Reject' }).click();
      await mine.getByText('the gripper slipped').waitFor(wait);
      for (const [at, [path, , after]] of looking.entries()) {
        expect([path, await pages[at].getByText(after).count()]).toEqual([path, 0]);
        await goOn(pages[at]);
        await pages[at].getByText(after).first().waitFor(wait);
      }
    });

    it('decide the same episode at once: both decisions are kept, the last one stands, and both see it', async () => {
      const { items } = await service.client.episodes.list({ project_id, decision: ['accept'] });
      const [{ id }] = items;
      const [one, two] = [await opened('reviewer'), await opened('reviewer')];
      for (const page of [one, two]) {
        await page.goto(`${service.address}/projects/${project_id}/episodes/${id}`);
        await page.getByText('No person has decided yet').waitFor(wait);
      }
      await Promise.all([
        one.getByRole('button', { name: 'Reject' }).click(),
        two.getByRole('button', { name: 'Accept' }).click(),
      ]);
      const rows = (page: Page) =>
        page.getByRole('table', { name: 'Decisions of people' }).getByRole('row').allTextContents();
      // One of the head.
      await expect.poll(async () => (await rows(one)).length, wait).toBe(3);
      await expect.poll(async () => (await rows(two)).length, wait).toBe(3);
      const { review_decision } = await service.client.episodes.get({ episode_id: id });
      for (const page of [one, two]) expect((await rows(page))[1].toLowerCase()).toContain(review_decision);
    });
  },
);
