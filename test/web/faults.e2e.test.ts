import type { BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser } from '../report-browser.ts';
import { assessSome, faultsOf, few, startWebService } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';
/** A busy machine answers late. */
const wait = { timeout: 30_000 };
const request_id = 'req_00000000000000000000000500';

/** What a service answers that came upon a fault of its own. */
const fault = (route: Route) =>
  route.fulfill({
    status: 500,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': request_id },
    body: JSON.stringify({
      type: 'about:blank',
      title: 'A fault in the program',
      status: 500,
      code: 'internal',
      detail: 'something went wrong inside',
      advice: null,
      instance: '/',
      request_id,
      retryable: false,
    }),
  });

describe.skipIf(chromiumPath === undefined)(
  `a service that answers 500 to the web application${reason}`,
  { timeout: 600_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    let project_id: string;
    let run_id: string;
    let episode_id: string;
    let context: BrowserContext;
    let page: Page;
    beforeAll(async () => {
      service = await startWebService();
      ({ project_id, run_id } = await assessSome(service, few));
      const { items } = await service.client.episodes.list({ project_id, decision: ['review'] });
      [{ id: episode_id }] = items;
      context = await openBrowser();
      page = await service.signedIn(context, 'admin');
    }, 600_000);
    afterAll(async () => {
      await context?.close();
      await service?.stop();
    });

    const isCall = (url: URL) => url.pathname.startsWith('/v1/') && url.origin === service.address;
    /** The operation that an address is of, whatever it is asked about. */
    const callOf = (url: string) => new URL(url).pathname.replaceAll(/_[0-9a-z]{26}/g, '_*');

    /** The calls a screen makes of itself. Pictures and films are no calls: the player tells of them. */
    async function callsOf(path: string): Promise<ReadonlySet<string>> {
      const calls = new Set<string>();
      const note = (request: { url(): string; resourceType(): string }) => {
        if (isCall(new URL(request.url())) && request.resourceType() === 'fetch')
          calls.add(callOf(request.url()));
      };
      page.on('request', note);
      await page.goto(service.address + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor(wait);
      // Pages ask again and again: what counts is that they ask nothing new.
      for (let before = -1; before !== calls.size; ) {
        before = calls.size;
        await page.waitForTimeout(1500);
      }
      page.off('request', note);
      return calls;
    }

    it('is told of for any call that any screen makes, with its request and a way on', async () => {
      const below = `/projects/${project_id}`;
      const screens = [
        '/',
        '/models',
        '/budget',
        '/team',
        '/audit',
        below,
        ...['episodes', `episodes/${episode_id}`, 'review', 'runs', `runs/${run_id}`].map(
          (each) => `${below}/${each}`,
        ),
        ...['exports', 'certification', 'copilot', 'settings'].map((each) => `${below}/${each}`),
      ];
      const done = new Set(['/v1/session', '/v1/whoami']);
      for (const path of screens)
        for (const call of await callsOf(path)) {
          if (done.has(call) || call.endsWith('/video')) continue;
          done.add(call);
          await page.route((url) => isCall(url) && callOf(url.href) === call, fault);
          await page.reload();
          await page
            .getByText(request_id)
            .first()
            .waitFor(wait)
            .catch(() => expect.fail(`${path} shows nothing of ${call}`));
          const again = page.getByRole('button', { name: 'Try again' }).first();
          await again.waitFor(wait).catch(() => expect.fail(`${path} offers no way on from ${call}`));
          await page.unrouteAll();
          // What asks again by itself may have been quicker.
          await again.click({ timeout: 5000 }).catch(() => {});
          await expect
            .poll(() => page.getByText(request_id).count(), { ...wait, message: `${path} ${call} stays` })
            .toBe(0);
        }
      expect(done.size).toBeGreaterThan(20);
    });

    it('is told of where something was to be done, which can then be done', async () => {
      await page.goto(`${service.address}/projects/${project_id}/episodes/${episode_id}`);
      await page.getByText('No person has decided yet').waitFor(wait);
      await page.route(isCall, (route) =>
        route.request().method() === 'GET' ? route.fallback() : fault(route),
      );
      await page.getByLabel('Note').fill('kept');
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByText(request_id).waitFor(wait);
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByRole('cell', { name: 'kept' }).waitFor(wait);
      expect(await page.getByText(request_id).count()).toBe(0);
    });

    it('is told of instead of any screen when not even who asks is known', async () => {
      await page.route((url) => isCall(url) && url.pathname === '/v1/whoami', fault);
      await page.goto(service.address);
      await page.getByText(request_id).waitFor(wait);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor(wait);
    });
  },
);
