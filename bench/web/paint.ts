import type { CDPSession, Page } from 'playwright-core';
import { chromiumPath } from '#test/report-browser';
import type { Bench, BenchOptions } from '../bench.ts';
import { ms } from '../service/over-http.ts';
import { type SeededService, startSeededService } from './seeded-service.ts';

const episodes = 100_000;
const [paint_ms, interactive_ms, script_bytes] = [1000, 2000, 350_000];

/** Screens that users open first, each with the selector of an element that is drawn with its first answers. */
const screens: readonly (readonly [name: string, path: (service: SeededService) => string, drawn: string])[] =
  [
    ['projects', ({ address }) => `${address}/`, 'table.data .row-title'],
    ['project', ({ project }) => project, '.bars.is-worst li'],
    ['episodes', ({ project }) => `${project}/episodes`, '.episode-row .episode-link'],
  ];

export interface Opened {
  readonly paint_ms: number;
  readonly interactive_ms: number;
  /** Bytes as transferred, compressed. */
  readonly script_bytes: number;
}

/** Screens of a large project over loopback, nothing of them in the browser's cache. */
export const webPaintBench: Bench = {
  id: 'web-paint',
  title: `The web application over ${episodes} episodes: painted within ${paint_ms} ms, usable within ${interactive_ms} ms, at most ${script_bytes / 1000} kB of script`,
  run: async (options) => {
    if (chromiumPath === undefined) {
      options.print('  left out: there is no chromium here (CHROMIUM_PATH names one)');
      return { passed: true, figures: {} };
    }
    const service = await startSeededService(options.scratch, options.quick ? 10_000 : episodes);
    try {
      return await measure(service, options);
    } finally {
      await service.stop();
    }
  },
};

async function measure(service: SeededService, { quick, print }: BenchOptions) {
  const figures: Record<string, Opened> = {};
  let passed = true;
  const page = await service.openPage();
  try {
    const browser = await page.context().newCDPSession(page);
    for (const [name, path, drawn] of screens) {
      const all: Opened[] = [];
      for (let round = 0; round < (quick ? 1 : 7); round++)
        all.push(await opened(page, browser, path(service), drawn));
      const found: Opened = {
        paint_ms: median(all.map((one) => one.paint_ms)),
        interactive_ms: median(all.map((one) => one.interactive_ms)),
        script_bytes: median(all.map((one) => one.script_bytes)),
      };
      figures[name] = found;
      const good =
        found.paint_ms < paint_ms &&
        found.interactive_ms < interactive_ms &&
        found.script_bytes < script_bytes;
      passed &&= good;
      const each = all.map((one) => one.interactive_ms.toFixed(0)).join(', ');
      print(
        `  ${good ? ' ' : '!'} ${name}: painted in ${ms(found.paint_ms)}, usable in ${ms(found.interactive_ms)} (${each}), ${(found.script_bytes / 1000).toFixed(0)} kB of script`,
      );
    }
  } finally {
    await page.context().close();
  }
  return { passed, figures };
}

/**
 * Paint: the first contentful one. Usable: what the screen is for is drawn, and whatever kept the page's thread busy
 * until then is over.
 */
async function opened(page: Page, browser: CDPSession, address: string, drawn: string): Promise<Opened> {
  await page.goto('about:blank');
  await browser.send('Network.clearBrowserCache');
  await page.goto(address, { waitUntil: 'commit' });
  // Passed as text, because benches are compiled without DOM types.
  return page.evaluate(`new Promise((done) => {
    const answer = () => {
      const [first] = performance.getEntriesByName('first-contentful-paint');
      if (first === undefined) return setTimeout(answer, 5);
      const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
      done({
        paint_ms: first.startTime,
        interactive_ms: usable_ms,
        script_bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      });
    };
    let usable_ms;
    const look = () => {
      if (document.querySelector(${JSON.stringify(drawn)}) === null) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => {
        usable_ms = performance.now();
        answer();
      }));
    };
    look();
  })`);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
