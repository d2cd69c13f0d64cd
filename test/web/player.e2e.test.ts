import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#samples';
import { chromiumPath, openBrowser, watchPage } from '../report-browser.ts';
import { faultsOf, startWebService } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';
/** A busy machine makes films late. */
const wait = { timeout: 30_000 };

interface Shown {
  readonly currentTime: number;
  readonly duration: number;
  readonly readyState: number;
  readonly paused: boolean;
}

async function assessAll({ client, recordings }: Awaited<ReturnType<typeof startWebService>>) {
  const workspace = await client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
  const made = { workspace_id: workspace.id, name: 'arms', target_profile: 'behaviour-cloning' } as const;
  const { id: project_id } = await client.projects.create(made);
  const source = await client.sources.create({ project_id, kind: 'folder', path: recordings });
  const run = await client.runs.start({ project_id, source_id: source.id });
  for await (const { event, data } of client.runs.stream({ run_id: run.id }))
    if (event === 'run' && data.status === 'succeeded') break;
  return project_id;
}

describe.skipIf(chromiumPath === undefined)(`the player of the web application${reason}`, () => {
  let service: Awaited<ReturnType<typeof startWebService>>;
  let project_id: string;
  const contexts: BrowserContext[] = [];
  let page: Page;
  let seen: ReturnType<typeof watchPage>;
  beforeAll(async () => {
    service = await startWebService();
    await writeTeleopLeRobot(join(service.recordings, 'teleop'), 7, () => {}, {
      episodes: 6,
      plan: { 1: ['jump', 'medium'] },
    });
    await writeTeleopMcap(join(service.recordings, 'topics'), 7, () => {}, { episodes: 1, plan: {} });
    project_id = await assessAll(service);
    ({ page, seen } = await opened({}));
  }, 240_000);
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await service?.stop();
  });

  async function opened(look: { dark?: boolean; width?: number }) {
    const context = await openBrowser(look);
    contexts.push(context);
    const own = await service.signedIn(context, 'viewer');
    return { page: own, seen: watchPage(own) };
  }
  // As text: these tests know no types of a page.
  const videos = (of = page) =>
    of.evaluate<readonly Shown[]>(
      "[...document.querySelectorAll('.player video')].map(({ currentTime, duration, readyState, paused }) => ({ currentTime, duration, readyState, paused }))",
    );
  const clock = async () => Number.parseFloat((await page.textContent('.player-time')) ?? '');
  const isInStep = async () => {
    const [now, all] = [await clock(), await videos()];
    return all.length > 0 && all.every(({ currentTime }) => Math.abs(currentTime - now) < 0.05);
  };
  async function show(format: string, nth: number, on = page) {
    const { items } = await service.client.episodes.list({ project_id, sort: 'name', limit: 50 });
    const { id } = items.filter((one) => one.format === format)[nth];
    await on.goto(`${service.address}/projects/${project_id}/episodes/${id}`);
    await on.locator('.player video').first().waitFor(wait);
    await expect
      .poll(async () => (await videos(on)).every(({ readyState }) => readyState >= 2), wait)
      .toBe(true);
    return id;
  }

  it.each([
    ['lerobot', 4],
    ['mcap', 0],
  ])('plays the cameras of %s %i in step with the clock', async (format, nth) => {
    await show(format, nth);
    await page.locator('.player').focus();
    await page.keyboard.press(' ');
    await expect.poll(clock, wait).toBeGreaterThan(0.5);
    await page.keyboard.press(' ');
    await expect.poll(isInStep, wait).toBe(true);
    expect((await videos()).every(({ paused }) => paused)).toBe(true);
    expect(await clock()).toBeGreaterThan(0.5);
  });

  it('shows the segments that the run found, and goes to one', async () => {
    await show('lerobot', 4);
    const segments = page.locator('.player-lane', { hasText: 'Segments' }).locator('.player-mark');
    await segments.nth(1).waitFor(wait);
    const said = await segments.nth(1).getAttribute('title');
    await segments.nth(1).click();
    await expect.poll(clock, wait).toBeCloseTo(Number(/, ([\d.]+) to/.exec(said ?? '')?.[1]), 1);
  });

  it('shows a span of a file of many episodes as a film of its own, from its first frame', async () => {
    const id = await show('lerobot', 4);
    const { cameras } = await service.client.episodes.getPlayback({ episode_id: id });
    const [{ duration }] = await videos();
    const [{ frames, rate_hz }] = cameras;
    // What lies before the first frame, to decode it from, is not played.
    expect(Math.abs(duration - frames / (rate_hz ?? 1))).toBeLessThan(1.5 / (rate_hz ?? 1));
  });

  it('seeks by seconds, by frames and to the ends', async () => {
    await page.locator('.player').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await clock()).toBe(1);
    await expect.poll(isInStep, wait).toBe(true);
    for (const [key, time_s] of [
      ['.', '1.03'],
      ['.', '1.07'],
      [',', '1.03'],
      ['ArrowLeft', '0.03'],
    ] as const) {
      await page.keyboard.press(key);
      expect((await clock()).toFixed(2)).toBe(time_s);
    }
    await expect.poll(isInStep, wait).toBe(true);
    await page.keyboard.press('End');
    expect(await clock()).toBeGreaterThan(3);
    await page.getByRole('slider', { name: 'Time in seconds' }).fill('2');
    expect(await clock()).toBe(2);
    await expect.poll(isInStep, wait).toBe(true);
  });

  it('goes from mark to mark, plays one again and again, and faster', async () => {
    await show('lerobot', 1);
    const player = page.locator('.player');
    await player.focus();
    await page.keyboard.press('n');
    const mark = await clock();
    await page.keyboard.press('l');
    await player.getByRole('button', { name: 'Loop', pressed: true }).waitFor();
    await page.keyboard.press('+');
    expect(await player.getByLabel('Speed').inputValue()).toBe('2');
    await page.keyboard.press(' ');
    let last = await clock();
    await expect
      .poll(async () => {
        const now = await clock();
        const isBack = now < last;
        last = now;
        return isBack;
      }, wait)
      .toBe(true);
    await page.keyboard.press(' ');
    expect(await clock()).toBeGreaterThanOrEqual(mark);
  });

  it('complains of nothing, and axe finds nothing serious on it', async () => {
    expect(seen.complaints).toEqual([]);
    expect(seen.requests.filter((url) => !url.startsWith(service.address))).toEqual([]);
    for (const [name, look] of [
      ['wide', { dark: false, width: 1440 }],
      ['narrow', { dark: true, width: 390 }],
    ] as const) {
      const { page: own } = await opened(look);
      await show('lerobot', 1, own);
      if (process.env.ASSAY_TEST_SHOTS !== undefined)
        await own.screenshot({
          path: join(process.env.ASSAY_TEST_SHOTS, `player-${name}.png`),
          fullPage: true,
        });
      expect([name, await faultsOf(own)]).toEqual([name, { axe: [], overflow_px: 0 }]);
    }
  }, 120_000);
});
