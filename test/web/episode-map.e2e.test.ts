import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, watchPage } from '../report-browser.ts';
import { openOwnProject, shoot, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(`the map of episodes${noBrowser}`, { timeout: 240_000 }, () => {
  let project: TestProject;
  beforeAll(async () => {
    project = await openOwnProject(10);
  }, 240_000);
  afterAll(() => project?.close());
  const mapOf = (page: Page) => page.getByRole('img', { name: /^Map of \d+ episodes/ });

  it('has a point for each episode, within −1 and 1, and takes the filters of the list', async () => {
    const { project_id, service } = project;
    const { episodes } = service.client;
    const { points, not_mapped, more } = await episodes.map({ project_id });
    const ids = (await episodes.list({ project_id, limit: 50 })).items.map(({ id }) => id);
    expect(points.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect([not_mapped, more]).toEqual([[], false]);
    expect(Math.max(...points.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]))).toBe(1);
    const rejected = await episodes.map({ project_id, decision: ['reject'], descriptor: 'picture' });
    expect(rejected.points.length).toBeGreaterThan(0);
    expect(rejected.points.every(({ decision }) => decision === 'reject')).toBe(true);
    await expect(episodes.map({ project_id, descriptor: 'smell' })).rejects.toMatchObject({ status: 422 });
  });

  it('selects the episodes that are drawn around, for decisions on all of them', async () => {
    const page = await project.open('reviewer', '/episodes?view=map');
    const seen = watchPage(page);
    const map = mapOf(page);
    await map.waitFor(wait);
    await shoot(page, 'episode-map');
    await expectAccessible(page);
    const { x, y, width, height } = (await map.boundingBox())!;
    const corners = [
      [x + 2, y + 2],
      [x + width - 2, y + 2],
      [x + width - 2, y + height - 2],
      [x + 2, y + height - 2],
    ];
    await page.mouse.move(corners[0][0], corners[0][1]);
    await page.mouse.down();
    for (const [toX, toY] of corners) await page.mouse.move(toX, toY, { steps: 4 });
    await page.mouse.up();
    await page.getByText('10 selected').waitFor(wait);
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('score');
    await page.getByText('Not scored').waitFor(wait);
    const bar = page.getByRole('region', { name: 'Selected episodes' });
    await bar.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Reject: 10 episodes.').waitFor(wait);
    const { project_id, service } = project;
    const after = async () => (await service.client.episodes.map({ project_id })).points;
    expect((await after()).every(({ decision }) => decision === 'reject')).toBe(true);
    expect(seen.complaints).toEqual([]);
  });

  it('opens the episode whose point is clicked', async () => {
    const page = await project.open('viewer', '/episodes?view=map');
    await mapOf(page).waitFor(wait);
    const { x, y, width, height } = (await page.locator('.map-dot').first().boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.getByText(/^episode_\d+ · /).waitFor(wait);
    const name = (await page.locator('.map-point').textContent())!.split(' · ')[0];
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.getByRole('heading', { level: 1, name }).waitFor(wait);
  });
});
