import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '#core/api/operations';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, openBrowser, watchPage } from '../report-browser.ts';
import { openSharedProject, shoot, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(
  `screens of the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let project: TestProject;
    let rejected: { readonly id: string; readonly name: string };
    beforeAll(async () => {
      project = await openSharedProject();
      const { items } = await project.service.client.episodes.list({
        project_id: project.project_id,
        decision: ['reject'],
      });
      [rejected] = items;
    }, 300_000);
    afterAll(() => project?.close());
    const heading = (page: Page, name: string | RegExp) =>
      page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

    it('are accessible, fit wide and narrow windows, and log no errors', async () => {
      const { service, below, run_id } = project;
      const page = await project.open('admin');
      const seen = watchPage(page);
      const screens = [
        ['/', 'Projects', page.getByRole('link', { name: 'arms' })],
        ['/new-project', 'New project', page.getByText('Annotation preset')],
        [below, 'arms', page.getByRole('heading', { name: /^Optical flow/ })],
        [`${below}/sources`, 'Sources', page.getByText('episodes evaluated')],
        [`${below}/episodes`, 'Episodes', page.getByRole('link', { name: 'episode_000009' })],
        [`${below}/episodes/${rejected.id}`, rejected.name, page.getByText('Verified in this browser')],
        [`${below}/search?like=${rejected.id}`, 'Search', page.getByText('Ranked by motion')],
        [`${below}/review`, 'Review', page.getByRole('article')],
        [`${below}/runs`, 'Runs and jobs', page.getByText('10 of 10').first()],
        [`${below}/runs/${run_id}`, /^Run of /, page.getByText('LeRobot v3.0', { exact: true })],
        [`${below}/exports`, 'Exports', page.getByText('No exports yet')],
        [`${below}/certification`, 'Certification', page.getByText('Verified in this browser')],
        [`${below}/settings`, 'Settings', page.getByText('All 10 episodes use these settings')],
        ['/models', 'Models', page.getByRole('heading', { name: 'Object detection' })],
        ['/budget', 'Budget and costs', page.getByText(/^Total:/)],
        ['/team', 'Team and tokens', page.getByText('a admin')],
        ['/notifications', 'Notifications', page.getByText('No webhooks yet')],
        ['/audit', 'Audit log', page.getByText('hash chain intact')],
      ] as const;
      for (const [path, title, shown] of screens) {
        await page.goto(service.address + path);
        await heading(page, title);
        await shown.first().waitFor();
        await shoot(page, `screen-${path.replaceAll(/[^a-z]+/g, '-').slice(0, 60)}`);
        if (path === below)
          await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
        await expectAccessible(page, { screen: path });
      }
      expect(seen.complaints).toEqual([]);
      expect(seen.requests.filter((url) => !url.startsWith(service.address))).toEqual([]);
    });

    it('lead from the project to the worst episode and its reason', async () => {
      const page = await project.open('reviewer', '/../..');
      await page.getByRole('link', { name: 'arms' }).click();
      await heading(page, 'arms');
      await page.getByRole('link', { name: 'Black frames' }).click();
      await heading(page, 'Episodes');
      expect(page.url()).toContain('flag=');
      await page.getByText('1 episode', { exact: true }).waitFor();
      await page.getByRole('link', { name: rejected.name }).click();
      await page.getByText('Verified in this browser').waitFor();
      const film = page.locator('.player video').first();
      await expect
        .poll(() => film.evaluate((video) => (video as unknown as { videoWidth: number }).videoWidth), wait)
        .toBeGreaterThan(0);
      await page.goBack();
      await page.getByText('1 episode', { exact: true }).waitFor();
    });

    it('give the verdict on the data in the overview, with scores that lead to their episodes', async () => {
      const { client } = project.service;
      const { score, decisions, episodes, worst } = await client.episodes.summariseProject({
        project_id: project.project_id,
      });
      expect(score.histogram.reduce((sum, each) => sum + each)).toBe(episodes - score.unscored);
      const page = await project.open('viewer');
      await page.getByText(`${decisions.accept} of ${episodes} episodes are fit to train on.`).waitFor(wait);
      await page.getByText(/^Usable after fix: /).waitFor(wait);
      const sheet = page.getByRole('region', { name: 'Worst episodes' });
      await sheet
        .getByRole('img', { name: new RegExp(`^${worst[0].name} at `) })
        .nth(2)
        .waitFor(wait);
      const box = await hoverHistogram(page);
      await page.mouse.move(box.x + 1, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.89, box.y + 10, { steps: 5 });
      await page.mouse.up();
      await heading(page, 'Episodes');
      const low = score.histogram.slice(0, 18).reduce((sum, each) => sum + each);
      await page.getByText(`${low} episodes`, { exact: true }).waitFor(wait);
      await page.getByRole('button', { name: 'Score 0.00–0.90' }).click();
      await page.getByText(`${episodes} episodes`, { exact: true }).waitFor(wait);
    });

    it('list as many episodes for a bar of the histogram of scores as it counts', async () => {
      const { client } = project.service;
      const { project_id } = project;
      const { score } = await client.episodes.summariseProject({ project_id });
      const page = await project.open('viewer');
      const bars = page.locator('a.score-bar');
      await bars.first().waitFor(wait);
      const hrefs = await bars.evaluateAll((links) => links.map((link) => String(link)));
      const counts = await Promise.all(
        hrefs.map(async (href) => {
          const { searchParams } = new URL(href);
          const bounds = {
            min_score: Number(searchParams.get('min_score')),
            max_score: Number(searchParams.get('max_score')),
          };
          return (await client.episodes.summariseProject({ project_id, ...bounds })).episodes;
        }),
      );
      expect(counts).toEqual(score.histogram.filter((episodes) => episodes > 0));
    });

    it('keep a drag over the histogram that leaves it', async () => {
      const page = await project.open('viewer');
      const box = await hoverHistogram(page);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.5, box.y + 10, { steps: 4 });
      await page.mouse.move(box.x + box.width * 0.5, box.y - 60, { steps: 4 });
      await page.mouse.up();
      await page.getByRole('button', { name: 'Score 0.00–0.55' }).waitFor(wait);
    });

    it('work in a browser that forbids storage', async () => {
      const context = await openBrowser();
      await context.addInitScript(
        "for (const area of ['localStorage', 'sessionStorage']) Object.defineProperty(window, area, { get() { throw new DOMException('denied', 'SecurityError'); } })",
      );
      const page = await project.service.signedIn(context, 'viewer', `${project.below}/episodes`);
      const { complaints } = watchPage(page);
      await page
        .getByRole('link', { name: /^episode_/ })
        .first()
        .click();
      await page.getByText('Verified in this browser').waitFor(wait);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('step through the episodes of the list that was shown last', async () => {
      const page = await project.open('viewer', '/episodes?sort=score');
      const links = page.getByRole('link', { name: /^episode_/ });
      await links.nth(2).waitFor(wait);
      const names = (await links.allTextContents()).slice(0, 3);
      await links.nth(1).click();
      await heading(page, names[1]);
      await page.getByRole('link', { name: '← Previous' }).click();
      await heading(page, names[0]);
      expect(await page.getByRole('link', { name: '← Previous' }).count()).toBe(0);
      await page.keyboard.press(']');
      await heading(page, names[1]);
    });

    it('keep filters in the address, and ignore invalid values there', async () => {
      const { client } = project.service;
      const { decisions } = await client.episodes.summariseProject({ project_id: project.project_id });
      const { reject } = decisions;
      const page = await project.open(
        'viewer',
        '/episodes?decision=["reject","nonsense"]&sort=upside-down&max_score=seven',
      );
      await page.getByText(reject === 1 ? '1 episode' : `${reject} episodes`, { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Reject' }).getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText('10 episodes', { exact: true }).waitFor();
    });

    it('are read-only for a viewer, and name the role that may change something', async () => {
      const { service, below, project_id } = project;
      const page = await project.open('viewer', `/episodes/${rejected.id}`);
      const accept = page.getByRole('button', { name: 'Accept' });
      await accept.waitFor();
      expect(await accept.isDisabled()).toBe(true);
      await expect
        .poll(() => page.locator('.action-why', { hasText: 'Requires the reviewer role' }).count(), wait)
        .toBe(2);
      await page.goto(service.address + below);
      await page.getByText('Requires the engineer role').first().waitFor();
      await page.goto(`${service.address}${below}/review`);
      await page.getByRole('article').waitFor();
      await page.keyboard.press('a');
      const { items } = await service.client.episodes.list({
        project_id,
        review_decision: ['accept', 'reject'],
      });
      expect(items).toEqual([]);
    });
  },
);

/** Hovers the first bar of the histogram of scores, once what is above it is loaded; returns where it is. */
async function hoverHistogram(page: Page) {
  await page.getByRole('heading', { name: /^Dataset findings/ }).waitFor(wait);
  const histogram = page.locator('.score-bars');
  await histogram.hover({ position: { x: 2, y: 10 } });
  return (await histogram.boundingBox())!;
}

describe.skipIf(chromiumPath === undefined)(`pages that the service serves${noBrowser}`, () => {
  let project: TestProject;
  beforeAll(async () => {
    project = await openSharedProject();
  }, 300_000);
  afterAll(() => project?.close());

  it('a report opens with a token as the password, and loads its files and nothing else', async () => {
    const { service, run_id } = project;
    const { token } = await service.client.tenant.createToken({ name: 'report', role: 'viewer' });
    const context = await openBrowser();
    const page = await context.newPage();
    const seen = watchPage(page);
    const report = `${service.address}/v1/runs/${run_id}/report/`;
    await page.goto(`${report.replace('//', `//anybody:${token}@`)}index.html`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.textContent('.shown')).toBe('10 episodes');
    await page.locator('.virtual .row a').first().click();
    await page.waitForURL(/episode\.html/);
    await page.locator('canvas').first().waitFor();
    expect(seen.complaints).toEqual([]);
    expect(seen.requests.filter((url) => !url.replace(/\/\/\w+:\w+@/, '//').startsWith(report))).toEqual([]);
    await context.close();
  });

  it('the API reference shows every group of operations without any other network', async () => {
    const { address } = project.service;
    const context = await openBrowser();
    const page = await context.newPage();
    const seen = watchPage(page);
    await page.goto(`${address}/docs`);
    await page.getByRole('heading', { name: 'Assay', level: 1 }).waitFor();
    for (const tag of new Set(operations.rows.map((row) => row.tag)))
      await page.getByText(tag, { exact: true }).first().waitFor();
    expect(seen.complaints).toEqual([]);
    expect(seen.requests.filter((url) => !url.startsWith(address) && !url.startsWith('blob:'))).toEqual([]);
    await context.close();
  });
});
