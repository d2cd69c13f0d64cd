import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certify, defaultPolicy, renderReport } from '#certification';
import { chromiumPath, openBrowser, watchPage } from '../report-browser.ts';
import { generatedEvidence } from '../support/certified-evidence.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(`the page of a certification report${reason}`, () => {
  const report = certify(defaultPolicy('vla'), [
    generatedEvidence(1),
    generatedEvidence(2, { nan: true }),
    generatedEvidence(3, { frozenCamera: true }),
    generatedEvidence(4, { noCamera: true }),
  ]);
  const contexts: BrowserContext[] = [];
  let folder: string;
  let address: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-certified-'));
    writeFileSync(join(folder, 'report.html'), renderReport(report, 'a "set" <of> arms'));
    address = `file://${join(folder, 'report.html')}`;
    contexts.push(await openBrowser(), await openBrowser({ dark: true, width: 400 }));
  });
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('asks for nothing, complains of nothing, and says the verdict', async () => {
    const page = await contexts[0].newPage();
    const seen = watchPage(page);
    await page.goto(address);
    expect(await page.textContent('h1')).toContain('a "set" <of> arms');
    expect(await page.textContent('body')).toContain(report.verdict.replace('_', ' '));
    expect(seen).toEqual({ complaints: [], requests: [] });
    await page.close();
  });

  it.each([0, 1])('has no fault that axe finds, light and wide or dark and narrow: %i', async (which) => {
    const page = await contexts[which].newPage();
    await page.goto(address);
    // Not as a script of the page, which allows none.
    await page.evaluate(axe.source);
    const faults: unknown = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
    );
    expect(faults).toEqual([]);
    await page.close();
  });

  it('fits a narrow screen, and is printed on pages', async () => {
    const page = await contexts[1].newPage();
    await page.goto(address);
    const overflow: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2);
    await page.close();
  });
});
