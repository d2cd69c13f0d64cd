import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { partlyUsable, usable } from '#test/support/set-verdicts';
import type { Assessment, Decision } from '../src/core/api/index.ts';
import {
  createReport,
  type ReportFile,
  renderEpisode,
  reportAssets,
  sketchEpisode,
} from '../src/quality/report/index.ts';
import { type FixtureOptions, fixtureChecks, fixtureEpisode } from './report-fixture.ts';
import { timedStart } from './support/timings.ts';

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A chromium of this machine, or undefined. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? browsers.find((path) => existsSync(path));
/** Reason why browser tests are skipped, for the name of a suite; empty if there is a chromium. */
export const noBrowser = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

interface BrowserOptions {
  readonly dark?: boolean;
  readonly width?: number | undefined;
  /** True if pages may run scripts. Defaults to true. */
  readonly scripts?: boolean;
}

let running: Promise<Browser> | undefined;

/**
 * Opens a browser context with an empty profile. All contexts of a process share one chromium. In a test worker it ends
 * with the worker, elsewhere with its last context.
 */
export async function openBrowser(options: BrowserOptions = {}): Promise<BrowserContext> {
  running ??= timedStart('browser', launch());
  const browser = await running;
  const context = await browser.newContext({
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: { width: options.width ?? 1440, height: 900 },
    javaScriptEnabled: options.scripts ?? true,
  });
  if (process.env.VITEST === undefined)
    context.once('close', () => {
      if (browser.contexts().some((other) => other !== context)) return;
      running = undefined;
      void browser.close();
    });
  return context;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // WebGL without a graphics card.
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  // After a crash the next test gets a new one.
  browser.once('disconnected', () => {
    running = undefined;
  });
  return browser;
}

/** Records the console errors and warnings of a page, and its requests for anything but files. */
export function watchPage(page: Page): { readonly complaints: string[]; readonly requests: string[] } {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) requests.push(request.url());
  });
  return { complaints, requests };
}

export interface WrittenReport {
  readonly folder: string;
  readonly index: string;
  readonly remove: () => void;
}

/** Writes the report of `count` made-up episodes into a temporary folder. */
export function writeFixtureReport(
  count: number,
  options: FixtureOptions & { title?: string; parts?: Assessment['dataset']['parts'] } = {},
): WrittenReport {
  const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
  const report = createReport({ title: options.title ?? 'made-up', checks: fixtureChecks });
  const decisions: Record<Decision, number> = { accept: 0, review: 0, reject: 0 };
  for (let index = 0; index < count; index++) {
    const { episode, cameras, receipt } = fixtureEpisode(index, options);
    decisions[receipt.decision]++;
    writeFiles(folder, report.add(renderEpisode(receipt, sketchEpisode(episode, cameras), null)));
  }
  const dataset: Assessment['dataset'] = {
    format: 'lerobot',
    episodes: count,
    unreadable: 0,
    settings: { name: 'default', hash: 'a1b2c3d4e5f6' },
    decisions,
    usability:
      decisions.reject === 0
        ? usable(count)
        : partlyUsable(count - decisions.reject, 'camera_frozen', decisions.reject),
    findings: [],
    incomplete: [],
    parts: options.parts ?? [],
  };
  writeFiles(folder, report.finish(dataset));
  copyReportAssets(folder);
  return {
    folder,
    index: `file://${join(folder, 'index.html')}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Copies the scripts and style sheets that the pages of a report load. */
export function copyReportAssets(folder: string): void {
  for (const { path, url } of reportAssets) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(url, join(folder, path));
  }
}

/** Writes files of a report into its folder. */
export function writeFiles(folder: string, files: readonly ReportFile[]): void {
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A few small pictures, the last one black. */
export async function fixturePictures(): Promise<Uint8Array[]> {
  const pictures: Uint8Array[] = [];
  for (let i = 0; i < 4; i++) {
    const background = i === 3 ? { r: 3, g: 3, b: 3 } : { r: 90 + 40 * i, g: 120, b: 140 };
    pictures.push(
      await sharp({ create: { width: 64, height: 48, channels: 3, background } })
        .jpeg()
        .toBuffer(),
    );
  }
  return pictures;
}
