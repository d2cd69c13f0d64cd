import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, openBrowser } from '../report-browser.ts';
import { answerWithFault, faultRequest_id } from './server-fault.ts';
import { openOwnProject, shoot, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

/** A page must have asked for news of other people when its clock has gone on by this much. */
const promised_ms = 2000;

/**
 * The clock of a page that looks on stands still, and goes on by two seconds once the decision is made: the page shows what
 * it asks for within them, however late a busy machine answers.
 */
describe.skipIf(chromiumPath === undefined)(
  `people who decide in the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let project: TestProject;
    const onlookers: BrowserContext[] = [];
    beforeAll(async () => {
      project = await openOwnProject();
    }, 600_000);
    afterAll(() => project?.close());

    /** A page whose clock stands still once it shows a text. */
    async function onlooker(path: string, shows: string | RegExp): Promise<Page> {
      const context = await openBrowser();
      onlookers.push(context);
      await context.clock.install();
      const page = await project.service.signedIn(context, 'viewer', path);
      await page.getByText(shows).first().waitFor(wait);
      await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1000'));
      return page;
    }

    /** Lets two seconds pass on the page, in which it makes a request; requests that it makes later fail. */
    async function goOn(page: Page, request: RegExp): Promise<void> {
      const asked = page.waitForRequest(request, wait);
      await page.clock.runFor(promised_ms);
      // The answer may be late; a later request would cancel it.
      await (await asked).response();
      await page.route(/\/v1\//, (route) => route.abort());
      await page.clock.resume();
    }

    it('see each other’s decisions within two seconds on every screen that shows any, and that one is undone', async () => {
      const { service, below, project_id } = project;
      const { items } = await service.client.episodes.list({
        project_id,
        decision: ['review'],
        sort: 'score',
      });
      const [{ id, name }] = items;
      const looking = [
        ['/', `${items.length} episodes to review`, `${items.length - 1} episode`, /\/v1\/projects\b/],
        [below, '0 (0 overrides)', '1 (1 override)', /\/summary\b/],
        [`${below}/episodes/${id}`, 'Not reviewed yet', 'the gripper slipped', /\/reviews\b/],
        [`${below}/episodes?review_decision=["reject"]`, 'No episodes match', name, /\/episodes\?/],
        [
          ...[`${below}/review`, `${items.length} episodes to review`],
          ...[`${name} was reviewed by someone else.`, /\/episodes\?/],
        ],
      ] as const;
      const before = (await service.client.episodes.summariseProject({ project_id })).effective_decisions;
      const pages = await Promise.all(looking.map(([path, before]) => onlooker(path, before)));
      const mine = await project.open('reviewer', `/episodes/${id}`);
      await mine.getByLabel('Note').fill('the gripper slipped');
      await mine.getByRole('button', { name: 'Reject' }).click();
      await mine.getByText('the gripper slipped').waitFor(wait);
      for (const [at, [path, , after, request]] of looking.entries()) {
        expect([path, await pages[at].getByText(after).count()]).toEqual([path, 0]);
        await goOn(pages[at], request);
        await pages[at].getByText(after).first().waitFor(wait);
      }
      await Promise.all(onlookers.map((context) => context.close()));
      const after = await service.client.episodes.summariseProject({ project_id });
      const { accept, review, reject } = before;
      expect(after.effective_decisions).toEqual({ accept, review: review - 1, reject: reject + 1 });
      expect(after.decisions.reject).toBe(reject);
      const overview = await project.open('viewer');
      await overview.getByText(`Reject ${reject + 1}`).waitFor(wait);
      const looker = await project.open('viewer', `/episodes/${id}`);
      await looker.getByText('the gripper slipped').waitFor(wait);
      await mine.getByRole('button', { name: 'Undo' }).click();
      await looker.getByText('withdrawn', { exact: true }).waitFor(wait);
      await looker.getByText('not reviewed', { exact: true }).waitFor(wait);
      expect((await service.client.episodes.get({ episode_id: id })).review_decision).toBe(null);
    });

    it('work on the review queue at once, with the keyboard alone', async () => {
      const { service, project_id } = project;
      const open = () => project.open('reviewer', '/review');
      const [page, other] = [await open(), await open()];
      for (const each of [page, other]) await each.getByRole('article').waitFor();
      const inFront = async (of: Page) => (await of.getByRole('article').getAttribute('aria-label')) ?? '';
      const first = await inFront(page);
      expect(await inFront(other)).toBe(first);
      await page.keyboard.press('a');
      await expect.poll(() => inFront(page), wait).not.toBe(first);
      await other.getByText(`${first} was reviewed by someone else.`).waitFor();
      const second = await inFront(page);
      await page.keyboard.press('n');
      await expect.poll(() => inFront(page), wait).not.toBe(second);
      await page.keyboard.press('r');
      await page.getByText(/: reject\. Press u to undo/).waitFor();
      await page.keyboard.press('u');
      await page.getByText('is back in the queue').waitFor();
      const decided = async (decision: 'accept' | 'reject') => {
        const { items } = await service.client.episodes.list({ project_id, review_decision: [decision] });
        return items.map(({ name }) => name);
      };
      expect([await decided('accept'), await decided('reject')]).toEqual([[first], []]);
      // No other user reviewed anything here.
      expect(await page.getByText('reviewed by someone else').count()).toBe(0);
    });

    it('decide the same episode at once: both decisions are kept, the last one counts, and both see it', async () => {
      const { service, project_id } = project;
      const { items } = await service.client.episodes.list({ project_id, decision: ['accept'] });
      const [{ id }] = items;
      const open = () => project.open('reviewer', `/episodes/${id}`);
      const [one, two] = [await open(), await open()];
      for (const page of [one, two]) await page.getByText('Not reviewed yet').waitFor(wait);
      await Promise.all([
        one.getByRole('button', { name: 'Reject' }).click(),
        two.getByRole('button', { name: 'Accept' }).click(),
      ]);
      const rows = (page: Page) =>
        page.getByRole('table', { name: 'Review history' }).getByRole('row').allTextContents();
      // With the header row.
      await expect.poll(async () => (await rows(one)).length, wait).toBe(3);
      await expect.poll(async () => (await rows(two)).length, wait).toBe(3);
      const { review_decision } = await service.client.episodes.get({ episode_id: id });
      for (const page of [one, two]) expect((await rows(page))[1].toLowerCase()).toContain(review_decision);
    });

    it('keep a note whose decision the service fails to store, and can decide again', async () => {
      const { service, project_id } = project;
      const review_decision = ['none'] as const;
      const { items } = await service.client.episodes.list({ project_id, review_decision, limit: 1 });
      const page = await project.open('reviewer', `/episodes/${items[0].id}`);
      await page.getByText('not reviewed', { exact: true }).waitFor();
      await page.route('**/v1/**', (route) =>
        route.request().method() === 'GET' ? route.fallback() : answerWithFault(route),
      );
      await page.getByLabel('Note').fill('kept');
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByText(faultRequest_id).waitFor();
      await expectAccessible(page);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByRole('cell', { name: 'kept' }).waitFor();
      expect(await page.getByText(faultRequest_id).count()).toBe(0);
    });

    it('decide on several selected episodes at once', async () => {
      const { service, project_id } = project;
      const page = await project.open('reviewer', '/episodes');
      const boxes = page.getByRole('checkbox', { name: /^Select / });
      await boxes.nth(2).waitFor(wait);
      await boxes.nth(0).click();
      await boxes.nth(2).click({ modifiers: ['Shift'] });
      await page.getByText('3 selected').waitFor();
      await shoot(page, 'selection');
      const bar = page.getByRole('region', { name: 'Selected episodes' });
      await bar.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('Reject: 3 episodes.').waitFor(wait);
      const { items } = await service.client.episodes.list({ project_id, sort: 'name' });
      expect(items.slice(0, 3).map(({ review_decision }) => review_decision)).toEqual([
        'reject',
        'reject',
        'reject',
      ]);
    });

    it('decide on the other selected episodes if one fails, and repeat only that one', async () => {
      const { service, project_id } = project;
      const [failing, other] = (await service.client.episodes.list({ project_id, sort: 'name' })).items;
      const history = async ({ id }: { readonly id: string }) =>
        (await service.client.episodes.listReviews({ episode_id: id })).items.length;
      const [before, otherBefore] = [await history(failing), await history(other)];
      const page = await project.open('reviewer', '/episodes');
      const box = ({ name }: { readonly name: string }) =>
        page.getByRole('checkbox', { name: `Select ${name}` });
      await box(failing).click();
      await box(other).click();
      await page.route(`**/episodes/${failing.id}/reviews`, answerWithFault);
      const bar = page.getByRole('region', { name: 'Selected episodes' });
      await bar.getByRole('button', { name: 'Accept' }).click();
      await bar.getByText('Accept: 1 done, 1 failed.').waitFor(wait);
      await bar.getByText(faultRequest_id).waitFor();
      await bar.getByText('1 selected').waitFor();
      expect(await box(failing).isChecked()).toBe(true);
      await page.unrouteAll();
      await bar.getByRole('button', { name: 'Accept' }).click();
      await page.getByText('Accept: 1 episode.').waitFor(wait);
      expect([await history(failing), await history(other)]).toEqual([before + 1, otherBefore + 1]);
      // Another filter starts without a selection.
      await box(other).click();
      await page.getByRole('button', { name: 'Accept', pressed: false }).first().click();
      await expect.poll(() => page.getByText('1 selected').count(), wait).toBe(0);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await box(other).waitFor(wait);
      expect(await box(other).isChecked()).toBe(false);
    });

    it('undo on the page of an episode only what they decided on it', async () => {
      const { service, project_id } = project;
      const [first, second] = (await service.client.episodes.list({ project_id, sort: 'name' })).items;
      const page = await project.open('reviewer', '/episodes');
      await page.getByRole('link', { name: first.name }).click();
      await page.getByRole('heading', { level: 1, name: first.name }).waitFor(wait);
      const undo = page.getByRole('button', { name: 'Undo' });
      await page.getByRole('button', { name: 'Accept' }).click();
      await expect.poll(() => undo.isEnabled(), wait).toBe(true);
      await page.keyboard.press(']');
      await page.getByRole('heading', { level: 1, name: second.name }).waitFor(wait);
      expect(await undo.isDisabled()).toBe(true);
    });

    it('tag several selected episodes at once, list them by the tag, and remove it', async () => {
      const { service, project_id } = project;
      const page = await project.open('reviewer', '/episodes');
      const boxes = page.getByRole('checkbox', { name: /^Select / });
      await boxes.nth(1).waitFor(wait);
      await boxes.nth(0).click();
      await boxes.nth(1).click();
      await page.getByLabel('Tag for the selected episodes').fill('night');
      await page.keyboard.press('Enter');
      await page.getByText('Tagged night: 2 episodes.').waitFor(wait);
      const tagged = async () => (await service.client.episodes.list({ project_id, tags: ['night'] })).items;
      expect(await tagged()).toHaveLength(2);
      await page.getByRole('link', { name: 'episode_000000' }).click();
      const [{ id: episode_id }] = (await service.client.episodes.list({ project_id, sort: 'name' })).items;
      const tagsNow = async () => (await service.client.episodes.get({ episode_id })).tags;
      // Another user tags the episode just before, so the page may still be outdated.
      for (const tag of ['blurry', 'left']) {
        await page.getByLabel('New tag').fill(tag);
        await service.client.episodes.update({ episode_id, tags: [...(await tagsNow()), `other ${tag}`] });
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: tag, exact: true }).waitFor(wait);
      }
      expect(await tagsNow()).toEqual(['blurry', 'left', 'night', 'other blurry', 'other left']);
      await page.getByRole('link', { name: 'night' }).click();
      await page.getByText('2 episodes', { exact: true }).waitFor(wait);
      await page.getByRole('link', { name: 'episode_000000' }).click();
      await page.getByRole('button', { name: 'Remove the tag night' }).click();
      await expect.poll(async () => (await tagged()).length, wait).toBe(1);
    });
  },
);
