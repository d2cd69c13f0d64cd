import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layers } from '#annotation';
import { tools } from '#copilot';
import { readers } from '#formats';
import { errorCodes } from '#kernel';
import { checks } from '#readiness';
import { writeSite } from '../scripts/docs-site/write-site.ts';
import { metrics } from '../src/certification/index.ts';
import { chromiumPath, openBrowser, watchPage } from './report-browser.ts';
import { runAssay } from './run-assay.ts';
import { faultsOf } from './web/web-service.ts';

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
  it('has no link that leads nowhere', () => {
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
  ])('%s has every one there is', (page, ids) => {
    const text = textOf(page);
    expect(ids.filter((id) => !text.includes(`<code>${id}</code>`))).toEqual([]);
  });

  it('is opened by assay docs, from disk', async () => {
    const { code, out } = await runAssay(['docs', '--no-open']);
    expect([code, existsSync(fileURLToPath(out.trim()))]).toEqual([0, true]);
  });
});

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(`the documentation in a browser${reason}`, () => {
  const contexts: BrowserContext[] = [];
  afterAll(() => Promise.all(contexts.map((context) => context.close())));
  async function opened(look: { dark: boolean; width: number }) {
    const context = await openBrowser(look);
    contexts.push(context);
    const page = await context.newPage();
    return { page, seen: watchPage(page) };
  }

  it('finds what is asked for by keys alone, and asks no network', async () => {
    const { page, seen } = await opened({ dark: false, width: 1440 });
    await page.goto(address('decisions/index.html'));
    await page.keyboard.press('/');
    await page.keyboard.type('camera_frames_repeated');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/checks\.html#/);
    const top = await page.evaluate<number>(
      'document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect().top',
    );
    expect(top).toBeLessThan(900);
    await page.getByRole('searchbox').fill('xyzzyplugh');
    await page.getByText('Nothing says “xyzzyplugh”.').waitFor();
    expect(seen).toEqual({ complaints: [], requests: [] });
  });

  it.each([[{ dark: false, width: 1440 }], [{ dark: true, width: 390 }]])(
    'has no fault that axe finds serious, and fits the window: %j',
    async (look) => {
      const { page: first } = await opened(look);
      for (const name of ['index', 'tutorial', 'checks', 'errors', 'decisions/index']) {
        const page = await first.context().newPage();
        const { complaints, requests } = watchPage(page);
        await page.goto(address(`${name}.html`));
        // Before axe, which asks for style sheets: a page from disk may not.
        expect([name, [...complaints]]).toEqual([name, []]);
        const shots = process.env.ASSAY_TEST_SHOTS;
        if (shots !== undefined)
          await page.screenshot({ path: join(shots, `docs-${look.width}-${name.replace('/', '-')}.png`) });
        expect([name, await faultsOf(page)]).toEqual([name, { axe: [], overflow_px: 0 }]);
        expect(requests).toEqual([]);
        await page.close();
      }
    },
  );
});
