import { openAsBlob } from 'node:fs';
import type { Role } from '@assay/client';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesOf, notComparable } from '../approved/hold-against.ts';
import { takeScreens } from '../approved/take.ts';
import { webScene, webScreens } from '../approved/web-scene.ts';
import { chromiumPath, openBrowser, watchPage } from '../report-browser.ts';
import { assessSome, faultsOf, startWebService } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';
/** A busy machine answers late. */
const wait = { timeout: 15_000 };
const long = { timeout: 90_000 };
const looks = [
  ['light and wide', { dark: false, width: 1440 }],
  ['dark and narrow', { dark: true, width: 390 }],
] as const;

describe.skipIf(chromiumPath === undefined)(
  `the screens of the web application${reason}`,
  { timeout: 180_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    let project_id: string;
    let run_id: string;
    let rejected: { readonly id: string; readonly name: string };
    const contexts: BrowserContext[] = [];
    beforeAll(async () => {
      service = await startWebService();
      ({ project_id, run_id } = await assessSome(service));
      const { items } = await service.client.episodes.list({ project_id, decision: ['reject'] });
      [rejected] = items;
    }, 300_000);
    afterAll(async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await service?.stop();
    });

    async function opened(role: Role, look: { dark?: boolean; width?: number } = {}): Promise<Page> {
      const context = await openBrowser(look);
      contexts.push(context);
      return service.signedIn(context, role);
    }
    const below = (path: string) => `${service.address}/projects/${project_id}${path}`;
    const heading = (page: Page, name: string | RegExp) =>
      page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

    // First: what later tests decide is not on what was approved.
    it.skipIf(notComparable !== '')(`look as they were approved${notComparable}`, async () => {
      const web = await webScene(service, project_id);
      expect(await differencesOf(takeScreens(webScreens, { web }))).toEqual([]);
    });

    describe.each(looks)('%s', (_look, options) => {
      it('have no fault that axe finds serious, fit the window, and complain of nothing', async () => {
        const page = await opened('admin', options);
        const seen = watchPage(page);
        const screens = [
          ['/', 'Projects', page.getByRole('link', { name: 'arms' })],
          [`/projects/${project_id}`, 'arms', page.getByRole('heading', { name: /^Optical flow/ })],
          [
            `/projects/${project_id}/episodes`,
            'Episodes',
            page.getByRole('link', { name: 'episode_000009' }),
          ],
          [`/projects/${project_id}/episodes/${rejected.id}`, rejected.name, page.getByText('Seal holds')],
          [`/projects/${project_id}/review`, 'Review', page.getByRole('article')],
          [`/projects/${project_id}/runs`, 'Runs and jobs', page.getByText('10 of 10').first()],
          [`/projects/${project_id}/runs/${run_id}`, /^Run of /, page.getByText('10 of 10 judged')],
          [`/projects/${project_id}/exports`, 'Exports', page.getByText('Nothing was exported yet')],
          [`/projects/${project_id}/certification`, 'Certification', page.getByText('Seal holds')],
          [`/projects/${project_id}/settings`, 'Settings', page.getByText('All 10 are judged so')],
          ['/models', 'Models', page.getByRole('heading', { name: 'Object detection' })],
          ['/budget', 'Budget and costs', page.getByText(/^In all/)],
          ['/team', 'Team and tokens', page.getByText('first admin')],
          ['/audit', 'Audit', page.getByText('chained without a gap')],
        ] as const;
        for (const [path, title, shown] of screens) {
          await page.goto(service.address + path);
          await heading(page, title);
          await shown.first().waitFor();
          expect([path, await faultsOf(page)]).toEqual([path, { axe: [], overflow_px: 0 }]);
        }
        expect(seen.complaints).toEqual([]);
        expect(seen.requests.filter((url) => !url.startsWith(service.address))).toEqual([]);
      });
    });

    it('lead from the project to the worst episode and its reason', async () => {
      const page = await opened('reviewer');
      await page.getByRole('link', { name: 'arms' }).click();
      await heading(page, 'arms');
      await page.getByRole('link', { name: 'camera black' }).click();
      await heading(page, 'Episodes');
      expect(page.url()).toContain('flag=');
      await page.getByText('1 episode', { exact: true }).waitFor();
      await page.getByRole('link', { name: rejected.name }).click();
      await page.getByText('Seal holds, computed in this browser').waitFor();
      const film = page.locator('.player video').first();
      await expect
        .poll(() => film.evaluate((video) => (video as unknown as { videoWidth: number }).videoWidth), wait)
        .toBeGreaterThan(0);
      await page.goBack();
      await page.getByText('1 episode', { exact: true }).waitFor();
    });

    it('keep filters in the address, and leave out what makes no sense there', async () => {
      const page = await opened('viewer');
      const { reject } = (await service.client.episodes.summariseProject({ project_id })).decisions;
      await page.goto(below('/episodes?decision=["reject","nonsense"]&sort=upside-down&max_score=seven'));
      await page.getByText(reject === 1 ? '1 episode' : `${reject} episodes`, { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Reject' }).getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('10 episodes', { exact: true }).waitFor();
    });

    it('are read-only for a viewer, and say which role may', async () => {
      const page = await opened('viewer');
      await page.goto(below(`/episodes/${rejected.id}`));
      const accept = page.getByRole('button', { name: 'Accept' });
      await accept.waitFor();
      expect(await accept.isDisabled()).toBe(true);
      await expect.poll(() => page.getByText('Needs the role reviewer').count(), wait).toBe(5);
      await page.goto(below(''));
      await page.getByText('Needs the role engineer').first().waitFor();
      await page.goto(below('/review'));
      await page.getByRole('article').waitFor();
      await page.keyboard.press('a');
      const { items } = await service.client.episodes.list({
        project_id,
        review_decision: ['accept', 'reject'],
      });
      expect(items).toEqual([]);
    });

    it('decide an episode, show it to whoever else looks within two seconds, and take it back', async () => {
      const [page, other] = [await opened('reviewer'), await opened('viewer')];
      await other.goto(below(`/episodes/${rejected.id}`));
      await other.getByText('No person has decided yet').waitFor();
      await page.goto(below(`/episodes/${rejected.id}`));
      await page.getByLabel('Note').fill('the lid was on');
      await page.getByRole('button', { name: 'Reject' }).click();
      await other.getByText('the lid was on').waitFor({ timeout: 10_000 });
      await page.getByRole('button', { name: 'Undo' }).click();
      await other.getByText('takes back: reject').waitFor({ timeout: 10_000 });
      const { review_decision } = await service.client.episodes.get({ episode_id: rejected.id });
      expect(review_decision).toBe('review');
    });

    it('let the review queue be worked by keys alone, and by two people at once', async () => {
      const [page, other] = [await opened('reviewer'), await opened('reviewer')];
      for (const each of [page, other]) {
        await each.goto(below('/review'));
        await each.getByRole('article').waitFor();
      }
      const inFront = async (of: Page) => (await of.getByRole('article').getAttribute('aria-label')) ?? '';
      const first = await inFront(page);
      expect(await inFront(other)).toBe(first);
      await page.keyboard.press('a');
      await expect.poll(() => inFront(page), wait).not.toBe(first);
      await other.getByText(`Somebody else has decided on ${first}.`).waitFor();
      const second = await inFront(page);
      await page.keyboard.press('n');
      await expect.poll(() => inFront(page), wait).not.toBe(second);
      await page.keyboard.press('r');
      await page.getByText(/: reject\. Press u to take it back/).waitFor();
      await page.keyboard.press('u');
      await page.getByText('waits again').waitFor();
      const decided = async (decision: 'accept' | 'reject') => {
        const { items } = await service.client.episodes.list({ project_id, review_decision: [decision] });
        return items.map(({ name }) => name);
      };
      expect([await decided('accept'), await decided('reject')]).toEqual([[first], []]);
    });

    it('plan a run, start what was planned, and show it going on', async () => {
      const page = await opened('engineer');
      await page.goto(below('/sources'));
      await page.getByRole('button', { name: 'Plan a run' }).click();
      await page.getByText(/^10 episodes, .* of computing/).waitFor();
      await page.getByRole('button', { name: 'Start this run' }).click();
      await heading(page, /^Run of /);
      await page.getByText(/^succeeded · attempt 1$/).waitFor(long);
      await page.getByText('10 of 10 judged').waitFor();
    });

    it('export what was accepted, seal it and download it', async () => {
      const workspace_id = (await service.client.projects.get({ project_id })).workspace_id;
      await service.client.workspaces.setUseCase({ workspace_id, use_case: 'robotic-manipulation' });
      const [page, reviewer] = [await opened('engineer'), await opened('reviewer')];
      await page.goto(below('/exports'));
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('button', { name: 'Seal' }).waitFor(long);
      await reviewer.goto(below('/exports'));
      await reviewer.getByRole('button', { name: 'Seal' }).click();
      await page.getByText(/^sealed [A-Z]/).waitFor(long);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ]);
      const file = await openAsBlob(await download.path());
      expect(await file.slice(0, 2).text()).toBe('PK');
      expect(download.suggestedFilename()).toMatch(/\.zip$/);
    });

    it('change modes of layers and the budget for those who may', async () => {
      const page = await opened('admin');
      await page.goto(below(''));
      const flow = page.getByRole('listitem').filter({ hasText: 'Optical flow' });
      await flow.getByRole('button', { name: 'Off' }).click();
      await expect
        .poll(() => flow.getByRole('button', { name: 'Off' }).getAttribute('aria-pressed'), wait)
        .toBe('true');
      await page.goto(`${service.address}/budget`);
      await page.getByLabel(/^Weekly cap/).fill('25');
      await page.getByRole('button', { name: 'Set the cap' }).click();
      await page.getByText('$25.00').first().waitFor();
      const { cap_usd } = await service.client.budget.get();
      expect(cap_usd).toBe(25);
    });

    it('set how a check judges, and judge again what was measured', async () => {
      const page = await opened('engineer');
      await page.goto(below('/settings'));
      const form = page.getByRole('form').filter({ hasText: 'Offset' }).first();
      await form.getByLabel('Offset').fill('0.1');
      await form.getByRole('button', { name: 'Set' }).click();
      await page.getByText('here 0.1 more').waitFor();
      await page.getByRole('button', { name: 'Judge 10 episodes again' }).click();
      await page.getByText('Under way; see Runs and jobs.').waitFor();
    });

    it('invite a person, whose link signs them in', async () => {
      const page = await opened('admin');
      await page.goto(`${service.address}/team`);
      await page.getByLabel('Name').fill('Grace');
      await page.getByLabel('E-mail address').fill('grace@example.org');
      await page.getByRole('button', { name: 'Invite' }).click();
      const link = await page.locator('.shown-once code').textContent();
      const context = await openBrowser();
      contexts.push(context);
      const hers = await context.newPage();
      await hers.goto(link ?? '');
      await hers.getByRole('button', { name: 'Grace viewer' }).waitFor();
      await hers.goto(`${service.address}/team`);
      await hers.getByText('Users and tokens are shown to the role admin.').waitFor();
    });
  },
);
