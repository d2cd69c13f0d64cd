import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usable } from '#test/support/set-verdicts';
import {
  chromiumPath,
  fixturePictures,
  noBrowser,
  openBrowser,
  type WrittenReport,
  watchPage,
  writeFixtureReport,
} from './report-browser.ts';
import { rounds } from './support/tiers.ts';

const hostile = String.raw`'"><img src=x onerror=alert(1)></script><script>alert(2)</script>\u0041`;

describe.skipIf(chromiumPath === undefined)(`the report in a browser${noBrowser}`, () => {
  let context: BrowserContext;
  const reports: WrittenReport[] = [];
  const make = (...options: Parameters<typeof writeFixtureReport>) => {
    const report = writeFixtureReport(...options);
    reports.push(report);
    return report;
  };
  const open = async (url: string): Promise<{ page: Page; seen: ReturnType<typeof watchPage> }> => {
    const page = await context.newPage();
    const seen = watchPage(page);
    await page.goto(url);
    return { page, seen };
  };

  beforeAll(async () => {
    context = await openBrowser();
  });
  afterAll(async () => {
    await context?.close();
    for (const report of reports) report.remove();
  });

  it('shows the verdict, filters by flag and keeps the filter in the address', async () => {
    const { page, seen } = await open(make(60).index);
    expect(await page.textContent('h1')).toMatch(/of 60 episodes are fit to train on/);
    expect(await page.textContent('.shown')).toBe('60 episodes');
    const chip = page.locator('.chip', { hasText: 'Frozen state' });
    const flagged = Number(await chip.locator('b').textContent());
    await chip.click();
    expect(await page.textContent('.shown')).toBe(`${flagged} of 60`);
    expect(page.url()).toContain('flag=state_frozen');
    await page.evaluate("document.querySelector('.list').scrollIntoView()");
    await expect.poll(() => page.locator('.virtual .row').count()).toBe(flagged);
    await page.reload();
    expect(await page.textContent('.shown')).toBe(`${flagged} of 60`);
    await page.keyboard.press('Escape');
    expect(await page.textContent('.shown')).toBe('60 episodes');
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it('searches, sorts and walks through the rows by keyboard', async () => {
    const { page, seen } = await open(make(120).index);
    await page.keyboard.press('/');
    await page.keyboard.type('episode_00001');
    expect(await page.textContent('.shown')).toBe('10 of 120');
    await page.fill('.search', '');
    await page.getByRole('columnheader', { name: 'Duration' }).getByRole('button').click();
    expect(await page.getAttribute('[role=columnheader][aria-sort=ascending]', 'aria-sort')).toBe(
      'ascending',
    );
    await page.locator('.virtual .episode-link').first().focus();
    for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.dataset.row')).toBe('40');
    await page.keyboard.press('End');
    expect(await page.evaluate('document.activeElement.dataset.row')).toBe('119');
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it('draws an episode, marks the fault at its time, and verifies the seal', async () => {
    const report = make(30, { thumbnails: await fixturePictures() });
    const { page, seen } = await open(`${report.index}#flag=state_frozen`);
    await page.locator('.virtual .episode-link').first().click();
    await page.waitForSelector('.timeline');
    expect(await page.textContent('.seal')).toContain('Verified.');
    const place = await page.locator('.place').first().textContent();
    const [from, to] = (place ?? '').replace(' s', '').split('–').map(Number);
    const box = await page.locator('.lane-flag .mark').first().boundingBox();
    const plot = await page.locator('.axis-canvas').boundingBox();
    const length = await page.evaluate<number>('assay.timeline.view.to');
    expect((box?.x ?? 0) - (plot?.x ?? 0)).toBeCloseTo((from / length) * (plot?.width ?? 0), -1);
    expect(box?.width ?? 0).toBeCloseTo(((to - from) / length) * (plot?.width ?? 0), -1);
    expect(await page.locator('.lane-series canvas').count()).toBe(6);
    expect(await inked(page)).toBeGreaterThan(200);
    expect(await page.locator('.film-picture').count()).toBeGreaterThan(3);
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it('zooms by keyboard, shows the values at the cursor and goes on to the next episode shown', async () => {
    const { page, seen } = await open(make(20).index);
    await page.locator('.virtual .episode-link').first().click();
    await page.waitForSelector('.timeline');
    const first = await page.textContent('h1');
    await page.focus('.timeline');
    for (const key of ['ArrowRight', 'ArrowRight', '+', '+']) await page.keyboard.press(key);
    await expect.poll(() => page.textContent('.clock')).not.toBe('');
    await expect.poll(() => page.locator('.reading').first().textContent()).toMatch(/\d/);
    await page.keyboard.press(']');
    await expect.poll(() => page.textContent('h1')).not.toBe(first);
    await expect.poll(() => page.textContent('.steps')).toContain('2 of 20');
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it.each(['light', 'dark'])('keeps text readable in the %s theme: 4.5 to 1 at least', async (theme) => {
    const { page, seen } = await open(make(1).index);
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    const ratios = await page.evaluate<Record<string, number>>(contrasts);
    expect(Object.keys(ratios).length).toBeGreaterThan(20);
    for (const [pair, ratio] of Object.entries(ratios)) expect(ratio, pair).toBeGreaterThanOrEqual(4.5);
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it('names the dataset of an episode if there are several, and finds episodes by it', async () => {
    const part = (path: string, episodes: number) => ({
      path,
      episodes,
      format: 'lerobot',
      evidence: ['as the test says'],
      kind: null,
      loads: null,
      usability: usable(episodes),
    });
    const { page, seen } = await open(
      make(10, { parts: [part('kitchen/left', 6), part('frames', 4)] }).index,
    );
    await page.keyboard.press('/');
    await page.keyboard.type('kitchen/');
    expect(await page.textContent('.shown')).toBe('6 of 10');
    const below = await page.locator('.virtual .task').allTextContents();
    expect(below).toHaveLength(6);
    for (const text of below) expect(text).toMatch(/^kitchen\/left/);
    await page.goto(page.url().replace(/index\.html.*/, 'episode.html#6'));
    await page.waitForSelector('.timeline');
    expect(await page.textContent('.where')).toMatch(/ \/ frames \/ episode_000006$/);
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it('treats hostile names and texts as text', async () => {
    const report = make(3, { text: hostile, title: hostile });
    const { page, seen } = await open(report.index);
    expect(await page.textContent('.where')).toBe(hostile);
    expect(await page.locator('img').count()).toBe(0);
    await page.locator('.virtual .episode-link').first().click();
    await page.waitForSelector('.timeline');
    expect(await page.textContent('h1')).toContain(hostile);
    expect(await page.textContent('.seal')).toContain('Verified.');
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it('holds only the rows in sight of thousands of episodes, however they are filtered and sorted', async () => {
    const { page, seen } = await open(make(rounds(1000, 10_000), { rows: 60 }).index);
    for (const change of [
      "set({ text: 'drawer' })",
      "set({ text: '', decisions: new Set([2]) })",
      'set({ decisions: new Set(), from: 0.5, to: 0.9 })',
      'clear()',
      "sortBy('id')",
    ]) {
      await page.evaluate(
        `assay.state.${change}, new Promise((next) => requestAnimationFrame(() => setTimeout(next)))`,
      );
      expect(await page.locator('.virtual .row').count(), change).toBeLessThan(80);
    }
    await page.evaluate('scrollTo(0, 20_000)');
    await expect.poll(() => page.locator('.virtual .row').count()).toBeGreaterThan(10);
    expect(await page.locator('.virtual .row').count()).toBeLessThan(80);
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });
});

/** Contrast (WCAG 2) of every colour of text on every ground it stands on. */
const contrasts = `(() => {
  const probe = document.body.appendChild(document.createElement('span'));
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (name) => {
    probe.style.color = 'var(--' + name + ')';
    canvas.fillStyle = getComputedStyle(probe).color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => byte / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const texts = ['ink', 'soft', 'faint', 'accent', 'accept', 'review', 'reject'];
  const pairs = ['ground', 'raised', 'sunken'].flatMap((ground) => texts.map((text) => [text, ground]));
  for (const decision of ['review', 'reject']) pairs.push([decision, decision + '-tint']);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  return Object.fromEntries(pairs.map(([text, ground]) => [text + ' on ' + ground, ratio(luminance(text), luminance(ground))]));
})()`;

/** Pixels of the first signal lane that something was drawn on. */
function inked(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('.lane-series canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++;
    return count;
  })()`);
}
