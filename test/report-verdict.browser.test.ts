import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usable } from '#test/support/set-verdicts';
import { createReport, renderEpisode, sketchEpisode } from '../src/quality/report/index.ts';
import {
  chromiumPath,
  copyReportAssets,
  fixturePictures,
  noBrowser,
  openBrowser,
  watchPage,
  writeFiles,
  writeFixtureReport,
} from './report-browser.ts';
import { fixtureChecks, fixtureEpisode } from './report-fixture.ts';

const hostile = `"'><img src=x onerror=alert(1)></noscript></table><script>alert(2)</script>`;

/** Number of episodes that a PDF links to, which is the number of table rows. */
const rowsOf = (pdf: Buffer): number =>
  new Set(pdf.toString('latin1').match(/episode\.html#\d+/g) ?? []).size;

describe.skipIf(chromiumPath === undefined)(`the verdicts of a report${noBrowser}`, () => {
  let context: BrowserContext;
  let plain: BrowserContext;
  const folders: string[] = [];
  const make = (...options: Parameters<typeof writeFixtureReport>) => {
    const report = writeFixtureReport(...options);
    folders.push(report.folder);
    return report;
  };
  beforeAll(async () => {
    context = await openBrowser();
    plain = await openBrowser({ scripts: false });
  });
  afterAll(async () => {
    await Promise.all([context?.close(), plain?.close()]);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const without = async (url: string): Promise<Page> => {
    const page = await plain.newPage();
    await page.goto(url);
    return page;
  };

  it('are all printed, or only those that pass the filters', async () => {
    const page = await context.newPage();
    const seen = watchPage(page);
    await page.goto(make(88, { text: hostile }).index);
    expect(rowsOf(await page.pdf())).toBe(88);
    await page.locator('.decision', { hasText: 'reject' }).click();
    const shown = Number((await page.textContent('.shown'))!.split(' ')[0]);
    expect(shown).toBeGreaterThan(0);
    expect(rowsOf(await page.pdf())).toBe(shown);
    expect(await page.locator('.on-paper').count()).toBe(0);
    expect(await page.locator('.findings details[open]').count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('.issues details:not([open])').count()).toBe(0);
    expect(await page.locator('.issues details[open] li').count()).toBeGreaterThan(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it('are the same on the page without scripts', async () => {
    const report = make(88, { text: hostile });
    const still = await without(report.index);
    const rows = await still.locator('tbody tr').allTextContents();
    expect(rows).toHaveLength(88);
    expect(await still.locator('img, script:not([src])').count()).toBe(0);
    const page = await context.newPage();
    await page.goto(report.index);
    const words: string[] = await page.evaluate(
      'Array.from(assay.state.columns.decision, (at) => assay.decisions[at])',
    );
    const decisions = await still.locator('tbody td:nth-child(3)').allTextContents();
    expect(decisions).toEqual(words);
    for (const name of ['accept', 'review', 'reject'])
      expect(await still.textContent('.still > p')).toContain(
        `${words.filter((word) => word === name).length} ${name}`,
      );
    await Promise.all([page.close(), still.close()]);
  });

  it('list a finding of many episodes once, and show these episodes on a click', async () => {
    const page = await context.newPage();
    await page.goto(make(60).index);
    const item = page.locator('.issues li', { hasText: 'Frozen state' });
    expect(await item.count()).toBe(1);
    const number = Number(/(\d+) episodes? \(\d/.exec((await item.textContent())!)![1]);
    await item.locator('button').click();
    expect(await page.textContent('.shown')).toBe(`${number} of 60`);
    await page.close();
  });

  it('are split into pages of limited size if there are thousands', async () => {
    const report = createReport({ title: 'many', checks: fixtureChecks });
    const { receipt } = fixtureEpisode(4);
    const rendered = renderEpisode(receipt, null, null);
    const counts = { accept: 0, review: 0, reject: 0, [receipt.decision]: 12_000 };
    for (let i = 0; i < 12_000; i++) report.add(rendered);
    const files = report.finish({
      ...{ format: 'lerobot', episodes: 12_000, unreadable: 0, decisions: counts },
      settings: { name: 'default', hash: 'a1b2c3d4e5f6' },
      usability: usable(12_000),
      ...{ findings: [], incomplete: [], parts: [] },
    });
    const tables = files.filter(({ path }) => /^(index|table-\d)\.html$/.test(path));
    expect(tables.map(({ path }) => path)).toEqual(['table-2.html', 'table-3.html', 'index.html']);
    const rows = tables.map(({ content }) => content.match(/<tr><td>/g)?.length);
    expect(rows).toEqual([5000, 2000, 5000]);
    expect(Math.max(...tables.map(({ content }) => content.length))).toBeLessThan(2e6);
  });

  it('mark every repeated frame on the timeline, or state how many of them are marked', async () => {
    const thumbnails = await fixturePictures();
    const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
    folders.push(folder);
    const report = createReport({ title: 'repeats', checks: fixtureChecks });
    const { episode, cameras, receipt } = fixtureEpisode(0, { thumbnails });
    const id = 'observation.images.front';
    const step = episode.duration_s / 1000;
    for (const repeated of [100, 900]) {
      const seen = { ...cameras.get(id)! };
      const places = Array.from({ length: 100 }, (_, i) => [i * 10 * step, (i * 10 + 1) * step] as const);
      const repeats = { ...seen.repeats, places, place_count: repeated };
      const flag = {
        ...{ check: 'image_integrity', code: 'camera_frames_repeated', severity: 'warning' as const },
        ...{ message: 'many repeat', advice: 'Drop them.', observed: 0.3, score: 0, threshold: 0.5 },
        marks: places.slice(0, 4).map(([from_s, to_s]) => ({ stream: id, from_s, to_s })),
      };
      const sketch = sketchEpisode(episode, new Map([[id, { ...seen, repeats }]]));
      writeFiles(
        folder,
        report.add(renderEpisode({ ...receipt, flags: [flag] } as typeof receipt, sketch, null)),
      );
    }
    writeFiles(
      folder,
      report.finish({
        ...{ format: 'lerobot', episodes: 2, unreadable: 0, decisions: { accept: 0, review: 2, reject: 0 } },
        settings: { name: 'default', hash: 'a1b2c3d4e5f6' },
        usability: usable(2),
        ...{ findings: [], incomplete: [], parts: [] },
      }),
    );
    copyReportAssets(folder);
    expect(statSync(join(folder, 'index.html')).size).toBeGreaterThan(
      readFileSync(join(folder, 'episode.html')).length,
    );
    const page = await context.newPage();
    const seen = watchPage(page);
    await page.goto(`file://${folder}/episode.html#0`);
    const marks = page.locator('.lane-flag .mark');
    await expect.poll(() => marks.count()).toBe(100);
    const left: string[] = await marks.evaluateAll((all) =>
      all.map((mark) => mark.getAttribute('style') ?? ''),
    );
    expect(Math.max(...left.map((style) => Number(/left: (-?[\d.]+)/.exec(style)?.[1])))).toBeGreaterThan(90);
    expect(await page.textContent('.places')).toContain('and 94 more on the timeline');
    expect(await page.textContent('body')).not.toContain('shown;');
    await page.goto(`file://${folder}/episode.html#1`);
    await expect.poll(() => page.textContent('.lane-flag')).toContain('100 of 900 shown');
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });
});
