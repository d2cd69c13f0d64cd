import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '#core';
import { readers } from '#formats';
import { layers } from '#labels/annotation';
import { checks } from '#quality/readiness';
import { tools } from '#service/copilot';
import { writeSite } from '../scripts/docs-site/write-site.ts';
import { metrics } from '../src/quality/certification/index.ts';
import { expectAccessible } from './accessibility.ts';
import { chromiumPath, noBrowser, openBrowser, watchPage } from './report-browser.ts';
import { runAssay } from './run-assay.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'assay-docs-site-'));
const address = (page: string) => pathToFileURL(join(folder, page)).href;
const pages = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
const textOf = (page: string) => readFileSync(join(folder, page), 'utf8');

beforeAll(() => {
  expect(writeSite(root, folder)).toBeGreaterThan(60);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the documentation as a site', () => {
  it('has no dead link', () => {
    const ids = new Map(
      pages().map((page) => [
        join(folder, page),
        new Set([...textOf(page).matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const dead = pages().flatMap((page) =>
      [...textOf(page).matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)]
        .map(([, link]) => link.replaceAll('&amp;', '&'))
        .filter((link) => !/^(https?|mailto):/.test(link))
        .filter((link) => {
          const [file, anchor] = link.split('#');
          const target = file === '' ? join(folder, page) : join(folder, dirname(page), decodeURI(file));
          if (!existsSync(target)) return true;
          return anchor !== undefined && ids.get(target)?.has(decodeURIComponent(anchor)) !== true;
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it.each([
    ['checks.html', checks.ids],
    ['formats.html', readers.ids],
    ['layers.html', layers.ids],
    ['certification.html', metrics.ids],
    ['tools.html', tools.ids],
    ['errors.html', Object.keys(errorCodes)],
  ])('%s lists every entry of its registry', (page, ids) => {
    const text = textOf(page);
    expect(ids.filter((id) => !text.includes(`<code>${id}</code>`))).toEqual([]);
  });

  it('is opened by assay docs, from disk', async () => {
    const { code, out } = await runAssay(['docs', '--no-open']);
    expect([code, existsSync(fileURLToPath(out.trim()))]).toEqual([0, true]);
  });
});

describe.skipIf(chromiumPath === undefined)(`the documentation in a browser${noBrowser}`, () => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await openBrowser();
  });
  afterAll(() => context?.close());

  it('finds text with the keyboard alone, and sends no request', async () => {
    const page = await context.newPage();
    const seen = watchPage(page);
    await page.goto(address('decisions/index.html'));
    await page.keyboard.press('/');
    await page.keyboard.type('camera_frames_repeated');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/(checks|certification)\.html#/);
    const top = await page.evaluate<number>(
      'document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect().top',
    );
    expect(top).toBeLessThan(900);
    await page.getByRole('searchbox').fill('xyzzyplugh');
    await page.getByText('No results for “xyzzyplugh”.').waitFor();
    expect(seen).toEqual({ complaints: [], requests: [] });
  });

  it.each(['index', 'tutorial', 'checks', 'errors', 'decisions/index'])(
    'page %s is accessible, fits wide and narrow windows, and sends no request',
    async (name) => {
      const page = await context.newPage();
      const { complaints, requests } = watchPage(page);
      await page.goto(address(`${name}.html`));
      // Before axe, which loads style sheets: a page from disk may not.
      expect(complaints).toEqual([]);
      const shots = process.env.ASSAY_TEST_SHOTS;
      if (shots !== undefined)
        await page.screenshot({ path: join(shots, `docs-${name.replace('/', '-')}.png`) });
      await expectAccessible(page);
      expect(requests).toEqual([]);
      await page.close();
    },
  );
});
