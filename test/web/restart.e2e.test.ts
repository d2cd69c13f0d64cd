import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser } from '../report-browser.ts';
import { assessSome, faultsOf, few, startWebService } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';
/** A busy machine answers late. */
const wait = { timeout: 60_000 };

describe.skipIf(chromiumPath === undefined)(
  `a service that is killed under open pages${reason}`,
  { timeout: 300_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    let project_id: string;
    let episode: { readonly id: string; readonly name: string };
    const contexts: BrowserContext[] = [];
    beforeAll(async () => {
      service = await startWebService();
      ({ project_id } = await assessSome(service, few));
      const { items } = await service.client.episodes.list({ project_id, decision: ['review'] });
      [episode] = items;
    }, 600_000);
    afterAll(async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await service?.stop();
    });

    async function opened(path: string): Promise<Page> {
      const context = await openBrowser();
      contexts.push(context);
      const page = await service.signedIn(context, 'admin');
      await page.goto(`${service.address}/projects/${project_id}${path}`);
      return page;
    }

    it('loses nothing that was typed, says what happened, and takes it when it is there again', async () => {
      const [page, settings] = [await opened(`/episodes/${episode.id}`), await opened('/settings')];
      await page.getByText('No person has decided yet').waitFor(wait);
      await page.getByLabel('Note').fill('half of a thought');
      const offset = settings.getByRole('form').filter({ hasText: 'Offset' }).first().getByLabel('Offset');
      await offset.fill('0.07');

      await service.kill();
      for (const each of [page, settings]) {
        // Whatever asks next finds out; the settings ask for nothing by themselves.
        if (each === settings) await each.getByRole('button', { name: 'Set' }).first().click();
        await each.getByText('The service does not answer. What you typed stays here').waitFor(wait);
      }
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByRole('alert').waitFor(wait);
      expect(await page.getByLabel('Note').inputValue()).toBe('half of a thought');
      expect(await offset.inputValue()).toBe('0.07');
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });

      await service.startAgain();
      for (const each of [page, settings])
        await each.getByText('The service was away and answers again').waitFor(wait);
      expect(await page.getByLabel('Note').inputValue()).toBe('half of a thought');
      expect(await offset.inputValue()).toBe('0.07');
      // Who was signed in still is, and what failed can be sent again as it stands.
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByRole('cell', { name: 'half of a thought' }).waitFor(wait);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await page.getByLabel('Note').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Close' }).click();
      expect(await page.getByText('The service was away').count()).toBe(0);
      const { items } = await service.client.episodes.listReviews({ episode_id: episode.id });
      expect(items.map(({ decision, note }) => [decision, note])).toEqual([['reject', 'half of a thought']]);
    });
  },
);
