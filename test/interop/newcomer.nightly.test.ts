import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser, watchPage } from '../report-browser.ts';
import { copyBottleSet, hasBottleSet } from '../support/bottle-set.ts';
import { type NpmStarted, npmStart } from '../support/npm-start.ts';
import { lerobotPython, onLeRobot } from '../support/peers.ts';
import { askScript } from './python-worker.ts';

const root = join(import.meta.dirname, '../..');
const absent = [
  ...(chromiumPath === undefined ? ['no chromium on this machine'] : []),
  ...(hasBottleSet ? [] : ['no ../shared/data']),
];
const reason = absent.length > 0 ? ` (skipped: ${absent.join(', ')})` : '';
const wait = { timeout: 30_000 };
const long = { timeout: 120_000 };

/** Clicks only what is on the screen, in the order in which somebody finds it who has read nothing. */
describe.skipIf(absent.length > 0)(`a newcomer with a real set${reason}`, { timeout: 400_000 }, () => {
  let scratch: string;
  let name: string;
  let started: NpmStarted;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;
  let training: string;
  let worst: string;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'assay-newcomer-'));
    name = `bottle-${process.pid}`;
    copyBottleSet(join(scratch, name));
    training = join(scratch, 'training');
    started = await npmStart(root, { ...process.env, ASSAY_DATA_DIR: join(scratch, 'data') }, [
      join(scratch, name),
    ]);
    context = await openBrowser();
    page = await context.newPage();
    seen = watchPage(page);
  }, 500_000);
  afterAll(async () => {
    await context?.close();
    await started?.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  let shots = 0;
  const shot = async (title: string) => {
    const folder = process.env.ASSAY_TEST_SHOTS;
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `newcomer-${++shots}-${title}.png`), fullPage: true });
  };
  const heading = (title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor(wait);

  it('opens the printed link and finds the worst episode', async () => {
    const link = /^Open:\s+(\S+)$/m.exec(started.stderr)?.[1] ?? '';
    expect(link).toContain('#sign-in=');
    await page.goto(link);
    await heading('Projects');
    await page.getByText('4 episodes to review').waitFor(wait);
    await shot('home');
    await page.getByRole('link', { name }).click();
    await heading(name);
    const first = page.getByRole('region', { name: 'Worst episodes' }).getByRole('link').first();
    worst = (await first.locator('.mono').textContent()) ?? '';
    await shot('project');
    await first.click();
    await heading(worst);
  });

  it('sees in the player why it is bad, and rejects it', async () => {
    const player = page.locator('.player');
    const mark = player.locator('.timeline .mark').first();
    await mark.waitFor(wait);
    expect(await player.locator('.lane-flag').first().textContent()).toContain('Repeated frames');
    await mark.click();
    await expect.poll(() => player.locator('video').first().getAttribute('src'), wait).not.toBeNull();
    await shot('episode');
    await page.getByLabel('Note').fill('the camera stood still');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('the camera stood still').waitFor(wait);
    await shot('rejected');
  });

  it('exports the rest as LeRobot v3 and downloads it', async () => {
    await page.getByRole('link', { name: 'Exports' }).click();
    await heading('Exports');
    await shot('exports');
    await page.getByRole('button', { name: 'Humanoids' }).click();
    await page.getByLabel('Format').selectOption('lerobot-v3');
    await page.getByText('No episodes have the selected decisions').waitFor(wait);
    await page.getByRole('checkbox', { name: 'Review' }).check();
    await page.getByText('3 episodes. Human reviews override automatic decisions.').waitFor(wait);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor(long);
    await page.getByText('3 exported, 1 excluded').waitFor(wait);
    await shot('exported');
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    execFileSync('python3', ['-m', 'zipfile', '-e', await download.path(), training]);
    const info = JSON.parse(readFileSync(join(training, 'meta/info.json'), 'utf8'));
    expect(info).toMatchObject({ codebase_version: 'v3.0', total_episodes: 3 });
    const { kept } = JSON.parse(readFileSync(join(training, 'assay-lineage.json'), 'utf8'));
    expect(kept.map(({ id }: { id: string }) => id)).not.toContain(worst);
    expect(seen.complaints).toEqual([]);
    expect(seen.requests.filter((url) => !url.startsWith(started.address))).toEqual([]);
  });

  it.skipIf(!lerobotPython)(onLeRobot('loads it in LeRobot'), async () => {
    const read = await askScript('lerobot', 'export_beside_source.py', join(scratch, name), training);
    expect(read).toMatchObject({ episodes: 3, different: [] });
    expect(read.rows).toBe(read.frames);
  });
});
