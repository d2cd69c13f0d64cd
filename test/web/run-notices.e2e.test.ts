import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { openOwnProject, shoot, type TestProject } from './test-project.ts';

describe.skipIf(chromiumPath === undefined)(
  `notices of runs in the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let project: TestProject;
    beforeAll(async () => {
      project = await openOwnProject();
    }, 600_000);
    afterAll(() => project?.close());

    it('tell on another screen that a run has ended, and lead to it', async () => {
      const { service, project_id, below, run_id } = project;
      const page = await project.open('engineer', '/settings');
      const notice = page.locator('.notice');
      const form = page.getByRole('form').filter({ hasText: 'Offset' }).first();
      await form.getByLabel('Offset').fill('0.1');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('offset 0.1').waitFor();
      // The run before was never seen open on this page.
      expect(await notice.count()).toBe(0);
      await page.getByRole('button', { name: 'Re-evaluate 4 episodes' }).click();
      await page.getByText('Started. See Runs and jobs.').waitFor();
      await notice.getByText(/^A run has finished\. 4 episodes: /).waitFor({ timeout: 240_000 });
      await shoot(page, 'run-notice');
      await expectAccessible(page);
      await notice.getByRole('link', { name: 'Open the run' }).click();
      await page.getByRole('heading', { level: 1, name: /^Run of / }).waitFor();
      const { items } = await service.client.runs.list({ project_id, limit: 1 });
      expect(items[0].id).not.toBe(run_id);
      expect(new URL(page.url()).pathname).toBe(`${below}/runs/${items[0].id}`);
      expect(await notice.count()).toBe(0);
    });

    it('do not tell of a run that ended before the page was opened and comes into the list later', async () => {
      const { service, project_id } = project;
      const { items } = await service.client.runs.list({ project_id });
      const [older] = items.filter(({ id }) => id === project.run_id);
      const newer = { ...older, id: `${older.id.slice(0, -1)}x`, finished_at: new Date().toISOString() };
      const page = await project.open('viewer', '/sources');
      let runs: (typeof older)[] = [newer];
      await page.route(/\/runs\?/, (route) => route.fulfill({ json: { items: runs, next_cursor: null } }));
      const answer = page.waitForResponse(/\/runs\?/);
      await page.reload();
      await answer;
      // The notice of a run that ended since shows that the answer has arrived.
      const ended = { ...older, id: `${older.id.slice(0, -1)}y`, finished_at: new Date().toISOString() };
      runs = [ended, older];
      await page.locator('.notice').first().waitFor();
      expect(await page.locator('.notice').count()).toBe(1);
    });
  },
);
