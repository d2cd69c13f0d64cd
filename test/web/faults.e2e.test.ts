import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { rounds } from '../support/tiers.ts';
import { answerWithFault, faultRequest_id } from './server-fault.ts';
import { openSharedProject, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

/** Resolves when a page has done what its answers led to. As text: this project's types know no browser. */
const untilIdle = `new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)))`;

describe.skipIf(chromiumPath === undefined)(
  `an error 500 in the web application${noBrowser}`,
  { timeout: 600_000 },
  () => {
    let project: TestProject;
    beforeAll(async () => {
      project = await openSharedProject();
    }, 600_000);
    afterAll(() => project?.close());

    /** Streams of events never end, and a screen does without them. */
    const isCall = (url: URL) =>
      url.pathname.startsWith('/v1/') &&
      !url.pathname.endsWith('/stream') &&
      url.origin === project.service.address;
    /** The operation that an address is of, whatever its ids. */
    const callOf = (url: string) => new URL(url).pathname.replaceAll(/_[0-9a-z]{26}/g, '_*');

    /** Opens a screen and returns the calls that it makes. Pictures and films are not calls: the player shows their errors. */
    async function callsOf(page: Page, path: string): Promise<ReadonlySet<string>> {
      const calls = new Set<string>();
      const pending = new Set<Request>();
      const began = (request: Request) => {
        if (!isCall(new URL(request.url())) || request.resourceType() !== 'fetch') return;
        pending.add(request);
        calls.add(callOf(request.url()));
      };
      const ended = (request: Request) => void pending.delete(request);
      await page.goto('about:blank');
      page.on('request', began).on('requestfinished', ended).on('requestfailed', ended);
      await page.goto(project.service.address + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      // An answer may lead to further calls, which are made before the page is idle.
      const idle = async () => {
        const before = calls.size;
        await page.evaluate(untilIdle);
        return pending.size === 0 && calls.size === before;
      };
      const idleOrCalls = async () =>
        (await idle()) ? 'idle' : [...pending].map((one) => one.url()).join(' ');
      await expect.poll(idleOrCalls, { ...wait, message: path }).toBe('idle');
      page.off('request', began).off('requestfinished', ended).off('requestfailed', ended);
      return calls;
    }

    it('is shown for every call of every screen, with the id of the request and a button to try again', async () => {
      const { service, below, run_id, project_id } = project;
      const { items } = await service.client.episodes.list({ project_id, decision: ['review'], limit: 1 });
      const page = await project.open('admin');
      const screens = [
        ...['', `/episodes/${items[0].id}`, '/settings', '/review'].map((path) => below + path),
        '/',
        // The rest at night.
        ...['/episodes', '/runs', `/runs/${run_id}`, '/exports', '/certification', '/copilot'].map(
          (path) => below + path,
        ),
        ...['/models', '/budget', '/team', '/audit'],
      ];
      const done = new Set(['/v1/session', '/v1/whoami']);
      for (const path of screens.slice(0, rounds(5, screens.length)))
        for (const call of await callsOf(page, path)) {
          if (done.has(call) || call.endsWith('/video')) continue;
          done.add(call);
          await page.route((url) => isCall(url) && callOf(url.href) === call, answerWithFault);
          await page.reload();
          await page
            .getByText(faultRequest_id)
            .first()
            .waitFor()
            .catch(() => expect.fail(`${path} shows nothing of ${call}`));
          const again = page.getByRole('button', { name: 'Try again' }).first();
          await again.waitFor().catch(() => expect.fail(`${path} offers no way on from ${call}`));
          await page.unrouteAll();
          // The page may have asked again by itself already.
          await again.click({ timeout: 5000 }).catch(() => {});
          await expect
            .poll(() => page.getByText(faultRequest_id).count(), {
              ...wait,
              message: `${path} ${call} stays`,
            })
            .toBe(0);
        }
      expect(done.size).toBeGreaterThan(rounds(10, 20));
    });

    it('is shown instead of a screen if the identity is not known', async () => {
      const page = await project.open('admin');
      await page.route((url) => isCall(url) && url.pathname === '/v1/whoami', answerWithFault);
      await page.goto(project.service.address);
      await page.getByText(faultRequest_id).waitFor();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    });
  },
);
