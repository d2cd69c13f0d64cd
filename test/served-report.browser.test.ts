import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser, watchPage } from './report-browser.ts';
import { OwnObjects } from './support/contract-calls.ts';
import { type ContractService, startContractService } from './support/contract-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(`a run’s report at its address, in a browser${reason}`, () => {
  let service: ContractService;
  let context: BrowserContext;
  beforeAll(async () => {
    service = await startContractService();
    context = await openBrowser();
  });
  afterAll(async () => {
    await context?.close();
    await service?.close();
  });

  it('opens with a token as the password, and loads its files and nothing else', async () => {
    const [tenant] = service.tenants;
    const run_id = await new OwnObjects(service, tenant).fixture('run_id');
    const page = await context.newPage();
    const seen = watchPage(page);
    const below = `${service.address}/v1/runs/${run_id}/report/`;
    await page.goto(`${below.replace('//', `//anybody:${tenant.tokens.viewer}@`)}index.html`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.textContent('.shown')).toBe('2 episodes');
    await page.locator('.virtual .row a').first().click();
    await page.waitForURL(/episode\.html/);
    await page.locator('canvas').first().waitFor();
    expect(seen.complaints).toEqual([]);
    expect(seen.requests.filter((url) => !url.replace(/\/\/\w+:\w+@/, '//').startsWith(below))).toEqual([]);
    await page.close();
  });
});
