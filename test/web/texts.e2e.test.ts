import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../report-browser.ts';
import { assessSome, faultsOf, looks, pagesOf, startWebService, wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `texts of episodes in the web application${reason}`,
  { timeout: 300_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    let of: { readonly project_id: string; readonly episode_id: string; readonly layer: 'dense_text' };
    const pages = pagesOf(() => service);
    beforeAll(async () => {
      service = await startWebService();
      const { project_id } = await assessSome(service);
      const [episode] = (await service.client.episodes.list({ project_id, limit: 1, sort: 'name' })).items;
      of = { project_id, episode_id: episode.id, layer: 'dense_text' };
      await service.client.episodeAnnotations.annotate({ ...of, force: true });
    }, 600_000);
    afterAll(async () => {
      await pages.close();
      await service?.stop();
    });
    const opened = async (...how: Parameters<typeof pages.opened>) => {
      const page = await pages.opened(...how);
      page.setDefaultTimeout(wait.timeout);
      await page.goto(`${service.address}/projects/${of.project_id}/episodes/${of.episode_id}`);
      await page.getByRole('region', { name: 'Dense text' }).getByRole('textbox').waitFor();
      return page;
    };
    const textOf = async () => (await service.client.episodeAnnotations.get(of)).edit?.text;

    it('are written over by a person, with the machine’s text in the history', async () => {
      const machine = String((await service.client.episodeAnnotations.get(of)).machine?.artifact?.text);
      const page = await opened('reviewer');
      const box = page.getByRole('region', { name: 'Dense text' }).getByRole('textbox');
      expect(await box.inputValue()).toBe(machine);
      await box.fill('The arm lifts the green cup.');
      await page.getByRole('button', { name: 'Save the text' }).click();
      await page.getByText('Nothing was changed').waitFor();
      expect(await textOf()).toBe('The arm lifts the green cup.');
      await page.getByText('History of the text').click();
      await page
        .getByRole('listitem')
        .filter({ hasText: machine.slice(0, 40) })
        .waitFor();
    });

    it('show both where two people write at once, and lose neither', async () => {
      const [mine, theirs] = [await opened('reviewer'), await opened('reviewer')];
      const boxOf = (page: typeof mine) =>
        page.getByRole('region', { name: 'Dense text' }).getByRole('textbox');
      await boxOf(mine).fill('Mine: it puts the cup down.');
      await boxOf(theirs).fill('Theirs: it drops the cup.');
      await theirs.getByRole('button', { name: 'Save the text' }).click();
      await theirs.getByText('Nothing was changed').waitFor();
      // Seen before anything is saved.
      const conflict = mine.getByRole('alert').filter({ hasText: 'Somebody else has written' });
      await conflict.getByText('Theirs: it drops the cup.').waitFor();
      expect(await boxOf(mine).inputValue()).toBe('Mine: it puts the cup down.');
      await mine.reload();
      await conflict.getByText('Theirs: it drops the cup.').waitFor();
      expect(await boxOf(mine).inputValue()).toBe('Mine: it puts the cup down.');
      await mine.getByRole('button', { name: 'Put theirs below mine' }).click();
      expect(await boxOf(mine).inputValue()).toBe('Mine: it puts the cup down.\n\nTheirs: it drops the cup.');
      await mine.getByRole('button', { name: 'Save the text' }).click();
      await mine.getByText('Nothing was changed').waitFor();
      expect(await textOf()).toBe('Mine: it puts the cup down.\n\nTheirs: it drops the cup.');
      const { items } = await service.client.episodeAnnotations.listEdits(of);
      expect(items.map(({ text }) => text)).toContain('Theirs: it drops the cup.');
    });

    it('refuse to be saved over what was not seen, and show it', async () => {
      const page = await opened('reviewer');
      const box = page.getByRole('region', { name: 'Dense text' }).getByRole('textbox');
      await box.fill('Late.');
      // This page does not hear of what is written now.
      await page.route('**/annotations/dense_text', (route) =>
        route.request().method() === 'GET' ? route.abort() : route.continue(),
      );
      await service.client.episodeAnnotations.editDenseText({ ...of, text: 'Early.' });
      await page.getByRole('button', { name: 'Save the text' }).click();
      await expect.poll(textOf, wait).toBe('Early.');
      await page.unroute('**/annotations/dense_text');
      await page.getByRole('alert').filter({ hasText: 'Early.' }).waitFor();
      expect(await box.inputValue()).toBe('Late.');
      await page.getByRole('button', { name: 'Save mine over theirs' }).click();
      await expect.poll(textOf, wait).toBe('Late.');
    });

    it('are read by a viewer, who is told which role may write', async () => {
      const page = await opened('viewer');
      const region = page.getByRole('region', { name: 'Dense text' });
      expect(await region.getByRole('textbox').getAttribute('readonly')).not.toBeNull();
      await region.getByText('Needs the role reviewer').waitFor();
    });

    it.each(looks)('have no fault that axe finds serious and fit the window, %s', async (_, look) => {
      const page = await opened('reviewer', look);
      const box = page.getByRole('region', { name: 'Dense text' }).getByRole('textbox');
      await box.fill('Something else.');
      await service.client.episodeAnnotations.editDenseText({ ...of, text: `Theirs ${look.width}.` });
      await page
        .getByRole('alert')
        .filter({ hasText: `Theirs ${look.width}.` })
        .waitFor();
      await page.getByText('History of the text').click();
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
    });
  },
);
