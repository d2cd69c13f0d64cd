import type { CDPSession, Page } from 'playwright-core';
import { chromiumPath } from '#test/report-browser';
import type { Bench, BenchOptions } from '../bench.ts';
import { ms } from '../service/over-http.ts';
import { type Frames, framesDuring } from './frames.ts';
import { type SeededService, startSeededService } from './seeded-service.ts';

const episodes = 100_000;
/** A frame of 60 a second, with what a clock of microseconds rounds. */
const frame_ms = 16.8;
const most_dropped = 0.05;
const speeds = [
  ['reading', 1000],
  ['wheel', 3000],
  ['fling', 10_000],
] as const;

/** The table of a large project's episodes, scrolled as by a wheel while further pages are fetched. */
export const webScrollBench: Bench = {
  id: 'web-scroll',
  title: `Scrolling a table of ${episodes} episodes: 60 frames a second, at most ${100 * most_dropped} % of them dropped`,
  run: async (options) => {
    if (chromiumPath === undefined) {
      options.print('  left out: there is no chromium here (CHROMIUM_PATH names one)');
      return { passed: true, figures: {} };
    }
    const service = await startSeededService(options.scratch, options.quick ? 10_000 : episodes);
    const page = await service.openPage();
    try {
      return await measure(service, page, options);
    } finally {
      await page.context().close();
      await service.stop();
    }
  },
};

async function measure({ project }: SeededService, page: Page, { quick, print }: BenchOptions) {
  const browser = await page.context().newCDPSession(page);
  const figures: Record<string, Frames> = {};
  let passed = true;
  for (const [name, speed] of speeds) {
    await opened(page, project);
    const distance = speed * (quick ? 2 : 6);
    const found = await framesDuring(browser, () => scroll(browser, distance, speed));
    const good = found.median_ms <= frame_ms && found.dropped <= most_dropped;
    passed &&= good;
    figures[name] = found;
    print(
      `  ${good ? ' ' : '!'} ${name}, ${speed} px/s: ${found.shown} frames, median ${found.median_ms.toFixed(1)} ms, p95 ${found.p95_ms.toFixed(1)} ms, ${share(found.dropped)} dropped, rows late in ${share(found.late)}`,
    );
  }
  await opened(page, project);
  const far_ms = await toTheEnd(page);
  print(`    from the first row to the last by the scroll bar, all pages between: ${ms(far_ms)}`);
  return { passed, figures: { ...figures, far_ms } };
}

async function opened(page: Page, project: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${project}/episodes`);
  await page.waitForSelector('.episode-row .episode-link');
}

const scroll = (browser: CDPSession, distance: number, speed: number) =>
  browser.send('Input.synthesizeScrollGesture', {
    ...{ x: 700, y: 500, yDistance: -distance, speed, gestureSourceType: 'mouse' },
  });

// Passed as text, because benches are compiled without DOM types.

/** Milliseconds until the rows there are no longer on their way. */
function toTheEnd(page: Page): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    const begun = performance.now();
    scrollTo(0, document.documentElement.scrollHeight);
    const look = () => {
      const rows = [...document.querySelectorAll('.episode-row')];
      const shown = rows.filter((row) => { const { top, bottom } = row.getBoundingClientRect(); return bottom > 0 && top < innerHeight; });
      if (scrollY > 0.9 * (document.documentElement.scrollHeight - innerHeight) && shown.length > 3 && shown.every((row) => !row.classList.contains('is-coming'))) done(performance.now() - begun);
      else if (performance.now() - begun > 120_000) done(Infinity);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(() => requestAnimationFrame(look));
  })`);
}

const share = (part: number): string => `${(100 * part).toFixed(1)} %`;
