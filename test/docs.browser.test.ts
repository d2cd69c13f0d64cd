import type { FastifyInstance } from 'fastify';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, handlers } from '#http';
import { operations } from '#operations';
import type { Store } from '#store';
import { chromiumPath, openBrowser, watchPage } from './report-browser.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(`the reference of the contract in a browser${reason}`, () => {
  let server: FastifyInstance;
  let context: BrowserContext;
  let address: string;
  beforeAll(async () => {
    server = await createServer({
      store: {} as Store,
      operations,
      handlers,
      authenticate: async () => null,
    });
    address = await server.listen({ host: '127.0.0.1', port: 0 });
    context = await openBrowser();
  });
  afterAll(async () => {
    await context?.close();
    await server?.close();
  });

  it('shows every group of operations without any network but the service', async () => {
    const page = await context.newPage();
    const seen = watchPage(page);
    await page.goto(`${address}/docs`);
    await page.getByRole('heading', { name: 'Assay', level: 1 }).waitFor();
    for (const tag of new Set(operations.rows.map((row) => row.tag)))
      await page.getByText(tag, { exact: true }).first().waitFor();
    expect(seen.complaints).toEqual([]);
    expect(seen.requests.filter((url) => !url.startsWith(address) && !url.startsWith('blob:'))).toEqual([]);
    await page.close();
  });
});
