import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, openBrowser, writeFixtureReport } from '#test/report-browser';
import type { Bench, BenchOptions } from './bench.ts';

const limit_ms = 1000;

/** A report of made-up episodes, their motion drawn finer than `assess` draws that many, opened from its folder in Chromium: until its table of episodes is painted. */
export const reportOpenBench: Bench = {
  id: 'report-open',
  title: `Opening a report of 5,000 episodes in Chromium (at most ${limit_ms} ms)`,
  run: async (options) => {
    if (chromiumPath === undefined) {
      options.print('  left out: there is no chromium here (CHROMIUM_PATH names one)');
      return { passed: true, figures: {} };
    }
    const report = writeFixtureReport(options.quick ? 500 : 5000);
    try {
      const bytes = bytesBelow(report.folder);
      const opened_ms = await openings(options, report.index);
      const median_ms = opened_ms.toSorted((a, b) => a - b)[opened_ms.length >> 1];
      options.print(
        `  ${(bytes / 1e6).toFixed(1)} MB, opened in ${median_ms.toFixed(0)} ms (${opened_ms.map((ms) => ms.toFixed(0)).join(', ')})`,
      );
      return { passed: median_ms <= limit_ms, figures: { bytes, opened_ms } };
    } finally {
      report.remove();
    }
  },
};

/** Milliseconds from the navigation to the frame after the first rows of the table are there, each in a fresh tab. */
async function openings({ quick }: BenchOptions, index: string): Promise<number[]> {
  const browser = await openBrowser();
  const all: number[] = [];
  try {
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const page = await browser.newPage();
      await page.goto(index, { waitUntil: 'commit' });
      await page.waitForSelector('.virtual .row', { state: 'visible' });
      // Passed as text, because benches are compiled without DOM types.
      all.push(await page.evaluate('new Promise((d) => requestAnimationFrame(() => d(performance.now())))'));
      await page.close();
    }
  } finally {
    await browser.close();
  }
  return all;
}

function bytesBelow(folder: string): number {
  return (readdirSync(folder, { recursive: true }) as string[])
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, info) => sum + (info.isFile() ? info.size : 0), 0);
}
