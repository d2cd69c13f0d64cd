import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certify, defaultPolicy, renderReport } from '#quality/certification';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, openBrowser, watchPage } from '../report-browser.ts';
import { generatedEvidence } from '../support/certified-evidence.ts';

describe.skipIf(chromiumPath === undefined)(`the page of a certification report${noBrowser}`, () => {
  const report = certify(defaultPolicy('vla'), [
    generatedEvidence(1),
    generatedEvidence(2, { nan: true }),
    generatedEvidence(3, { frozenCamera: true }),
    generatedEvidence(4, { noCamera: true }),
  ]);
  let context: BrowserContext;
  let folder: string;
  let address: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-certified-'));
    writeFileSync(join(folder, 'report.html'), renderReport(report, 'a "set" <of> arms'));
    address = `file://${join(folder, 'report.html')}`;
    context = await openBrowser();
  });
  afterAll(async () => {
    await context?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows the verdict, sends no request, is accessible, and prints on several pages', async () => {
    const page = await context.newPage();
    const seen = watchPage(page);
    await page.goto(address);
    expect(await page.textContent('h1')).toContain('a "set" <of> arms');
    const text = (await page.textContent('body')) ?? '';
    expect(text.toLowerCase()).toContain(report.verdict.replace('_', ' '));
    expect(seen).toEqual({ complaints: [], requests: [] });
    await expectAccessible(page, { impacts: ['minor', 'moderate', 'serious', 'critical'] });
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2);
  });
});
