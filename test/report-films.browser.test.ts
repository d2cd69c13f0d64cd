import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { assessInto } from '#engine/local';
import { chromiumPath, noBrowser, openBrowser, watchPage } from './report-browser.ts';

/** A busy machine plays late. */
const wait = { timeout: 60_000 };
const folder = mkdtempSync(join(tmpdir(), 'assay-test-films-'));
const report = join(folder, 'report');

beforeAll(async () => {
  await writeTeleopLeRobot(join(folder, 'sets', 'lerobot'), 7, () => {}, {
    episodes: 3,
    plan: { 1: ['frozen_state', 'large'] },
  });
  await writeTeleopMcap(join(folder, 'sets', 'mcap'), 7, () => {}, { episodes: 1, plan: {} });
  const result = await assessInto(report, join(folder, 'sets'), { video: true });
  await result.close();
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shown {
  readonly currentTime: number;
  readonly readyState: number;
  readonly paused: boolean;
}
interface Listed {
  readonly number: number;
  readonly file: string | null;
}
const listed = (): Listed[] => {
  const [, json] = readFileSync(join(report, 'data/films.js'), 'utf8').split('\n');
  return JSON.parse(json.slice(1, -1));
};

describe('a report with films', () => {
  it('has a film of every camera of every episode, and no other files beside them', () => {
    const films = listed();
    expect(new Set(films.map(({ number }) => number))).toEqual(new Set([0, 1, 2, 3]));
    const files = films.map(({ file }) => file?.replace('videos/', ''));
    expect(readdirSync(join(report, 'videos')).sort()).toEqual(files.sort());
  });

  it('differs from a report without films only in them', async () => {
    const plain = join(folder, 'plain');
    const result = await assessInto(plain, join(folder, 'sets'), {});
    await result.close();
    for (const name of ['videos', 'data/films.js', 'assets/films.js', 'assets/films.css'])
      expect(existsSync(join(plain, name)), name).toBe(false);
    for (const name of readdirSync(join(plain, 'data')))
      expect(readFileSync(join(plain, 'data', name)), name).toEqual(readFileSync(join(report, 'data', name)));
    expect(readFileSync(join(plain, 'episode.html'), 'utf8')).not.toMatch(/film|media-src/);
  }, 120_000);
});

describe.skipIf(chromiumPath === undefined)(`its films in a browser${noBrowser}`, () => {
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;
  // Passed as text, because these tests are compiled without DOM types.
  const videos = () =>
    page.evaluate<readonly Shown[]>(
      "[...document.querySelectorAll('video')].map(({ currentTime, readyState, paused }) => ({ currentTime, readyState, paused }))",
    );
  const clock = async () => Number.parseFloat((await page.textContent('.clock')) ?? '');
  const atRest = () =>
    expect.poll(async () => (await videos()).every(({ readyState }) => readyState >= 2), wait).toBe(true);

  beforeAll(async () => {
    context = await openBrowser();
    page = await context.newPage();
    seen = watchPage(page);
  });
  afterAll(async () => {
    await context?.close();
  });

  // A LeRobot episode from within a file, and one from MCAP.
  it.each([2, 3])('of episode %i play in step with the timeline', async (number) => {
    await page.goto(`file://${join(report, 'episode.html')}#${number}`);
    await page.reload();
    await page.locator('.films video').first().waitFor();
    await atRest();
    const own = listed().filter((film) => film.number === number);
    expect(await page.locator('.films figure').count()).toBe(own.length);
    await page.locator('.timeline').focus();
    await page.keyboard.press(' ');
    await expect
      .poll(async () => Math.min(...(await videos()).map((one) => one.currentTime)), wait)
      .toBeGreaterThan(0.5);
    await page.keyboard.press(' ');
    const now = await clock();
    expect(now).toBeGreaterThan(0.3);
    for (const { currentTime, paused } of await videos()) {
      expect(paused).toBe(true);
      expect(Math.abs(currentTime - now)).toBeLessThan(0.1);
    }
  });

  it('step by a frame and follow the cursor', async () => {
    // From wherever it paused to a frame, which may be less than a frame away.
    await page.keyboard.press('.');
    await atRest();
    const before = await clock();
    await page.keyboard.press('.');
    await expect.poll(clock, wait).toBeGreaterThan(before + 0.005);
    const after = await clock();
    expect(after - before).toBeLessThan(0.2);
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(clock, wait).toBeGreaterThan(after);
    const moved = await clock();
    await expect
      .poll(async () => Math.max(...(await videos()).map((one) => Math.abs(one.currentTime - moved))), wait)
      .toBeLessThan(0.05);
  });

  it('play a mark in a loop', async () => {
    await page.goto(`file://${join(report, 'episode.html')}#1`);
    await page.reload();
    await page.locator('.films video').first().waitFor();
    await atRest();
    await page.locator('.timeline').focus();
    await page.keyboard.press('n');
    await page.keyboard.press('l');
    expect(await page.textContent('.film-controls')).toContain('looping');
    if (process.env.ASSAY_TEST_SHOTS !== undefined)
      await page.screenshot({ path: join(process.env.ASSAY_TEST_SHOTS, 'films.png'), fullPage: true });
    expect(seen).toEqual({ complaints: [], requests: [] });
  });
});
