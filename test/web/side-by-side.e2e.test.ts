import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, watchPage } from '../report-browser.ts';
import { openOwnProject, shoot, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(
  `two episodes side by side in the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let project: TestProject;
    beforeAll(async () => {
      project = await openOwnProject();
    }, 600_000);
    afterAll(() => project?.close());

    const times = (page: Page) =>
      page.evaluate<readonly number[]>(
        "[...document.querySelectorAll('.player video')].map(({ currentTime }) => currentTime)",
      );

    it('play in step, with the most similar one first, and are decided on one by one', async () => {
      const { client } = project.service;
      const { project_id } = project;
      const [first] = (await client.episodes.list({ project_id, sort: 'name', limit: 1 })).items;
      const page = await project.open('reviewer', `/episodes/${first.id}`);
      const { complaints } = watchPage(page);
      await page.getByRole('link', { name: 'Side by side with similar' }).click();
      const sides = page.getByRole('article');
      await expect.poll(() => sides.count(), wait).toBe(2);
      const { items } = await client.search.episodes({
        project_id,
        filter: {},
        rank: { by: 'like', episode_id: first.id, descriptor: 'motion', moment: null },
      });
      const similar = items.map(({ episode }) => episode).filter(({ id }) => id !== first.id);
      await page.getByRole('article', { name: similar[0].name }).waitFor(wait);
      await expect.poll(async () => (await times(page)).length, wait).toBe(2);
      await page.locator('.player').first().focus();
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(async () => (await times(page)).every((time_s) => Math.abs(time_s - 1) < 0.05), wait)
        .toBe(true);
      await shoot(page, 'side-by-side');
      await page.getByLabel('Compare with').selectOption({ value: similar[1].id });
      const other = page.getByRole('article', { name: similar[1].name });
      await other.getByRole('button', { name: 'Reject' }).click();
      await other.getByRole('button', { name: 'Reject', pressed: true }).waitFor(wait);
      expect((await client.episodes.get({ episode_id: similar[1].id })).review_decision).toBe('reject');
      expect((await client.episodes.get({ episode_id: first.id })).review_decision).toBe(null);
      expect(complaints).toEqual([]);
      await expectAccessible(page);
    });

    it('are two different ones even if the address names one twice', async () => {
      const { client } = project.service;
      const [{ id, name }] = (
        await client.episodes.list({ project_id: project.project_id, sort: 'name', limit: 1 })
      ).items;
      const page = await project.open('viewer', `/side-by-side?one=${id}&other=${id}`);
      const { complaints } = watchPage(page);
      const sides = page.getByRole('article');
      await expect.poll(() => sides.count(), wait).toBe(2);
      expect(await page.getByRole('article', { name, exact: true }).count()).toBe(1);
      expect(complaints).toEqual([]);
    });

    it('ask for an episode if the address names none', async () => {
      const page = await project.open('viewer', '/side-by-side?one=nonsense');
      await page.getByText('Open an episode and choose “Side by side with similar”.').waitFor(wait);
    });
  },
);
