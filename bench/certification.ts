import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalParts } from '#core';
import type { Receipt } from '#core/api';
import { certify, defaultPolicy, type EpisodeEvidence, renderReport } from '#quality/certification';
import { chromiumPath, openBrowser } from '#test/report-browser';
import { captioned, generatedReceipt, loads } from '#test/support/certified-evidence';
import { peakMemory_bytes } from '#test/support/peak-memory';
import type { Bench } from './bench.ts';

const episodes = 10_000;
const slowest_s = 10;
const most_mb = 500;
const slowest_open_ms = 2000;

/** A report over receipts as they are kept: each is parsed when its turn comes. */
export const certificationBench: Bench = {
  id: 'certification',
  title: `A certification report of ${episodes.toLocaleString('en')} episodes, with its page`,
  run: async ({ print, quick }) => {
    const count = quick ? episodes / 10 : episodes;
    const texts = [{}, { nan: true }, { frozenCamera: true }, { noCamera: true }].map((faults, i) =>
      JSON.stringify(generatedReceipt(i, faults)),
    );
    const start = process.cpuUsage();
    const report = certify(defaultPolicy('vla'), kept(texts, count));
    let json_chars = 0;
    for (const part of canonicalParts(report)) json_chars += part.length;
    const page = renderReport(report, 'generated');
    const { user, system } = process.cpuUsage(start);
    const took_s = (user + system) / 1e6;
    const peak_mb = peakMemory_bytes() / 1e6;
    print(
      `  ${count} episodes: ${took_s.toFixed(2)} s of processor time (at most ${slowest_s}), peak ${peak_mb.toFixed(0)} MB (at most ${most_mb})`,
    );
    print(
      `  report.json ${(json_chars / 1e6).toFixed(1)} MB, report.html ${(page.length / 1e6).toFixed(2)} MB`,
    );
    const opened_ms = chromiumPath === undefined ? null : await openingOf(page);
    print(
      opened_ms === null
        ? '  opening it is left out: there is no chromium here (CHROMIUM_PATH names one)'
        : `  opened in ${opened_ms.toFixed(0)} ms (at most ${slowest_open_ms})`,
    );
    const figures = { took_s, peak_mb, json_mb: json_chars / 1e6, html_mb: page.length / 1e6, opened_ms };
    const passed = took_s <= slowest_s && peak_mb <= most_mb && (opened_ms ?? 0) <= slowest_open_ms;
    return { passed, figures };
  },
};

/** Milliseconds from the navigation to the frame after the page is loaded, at the first time. */
async function openingOf(html: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-certified-'));
  const browser = await openBrowser();
  try {
    const file = join(folder, 'report.html');
    writeFileSync(file, html);
    const page = await browser.newPage();
    await page.goto(`file://${file}`, { waitUntil: 'load' });
    return await page.evaluate('new Promise((d) => requestAnimationFrame(() => d(performance.now())))');
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function* kept(texts: readonly string[], count: number): Generator<EpisodeEvidence> {
  for (let i = 0; i < count; i++) {
    const receipt: Receipt = JSON.parse(texts[i % texts.length]);
    const episode = { ...receipt.episode, id: `episode_${String(i).padStart(6, '0')}`, index: i };
    yield { receipt: { ...receipt, episode }, loads, annotations: captioned() };
  }
}
