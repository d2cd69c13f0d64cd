import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#client';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { openOwnProject, shoot, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(
  `layers, settings and texts in the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let project: TestProject;
    beforeAll(async () => {
      project = await openOwnProject();
    }, 600_000);
    afterAll(() => project?.close());
    const ids = () => ({ project_id: project.project_id });

    describe('layers and settings', () => {
      const settings = () => project.service.client.annotation.getSettings(ids());

      it('show the cost of running a layer, and run it only after confirmation', async () => {
        await project.service.client.annotation.setSettings({ ...ids(), modes: { dense_text: 'on_demand' } });
        const page = await project.open('engineer');
        const tile = page
          .getByRole('listitem')
          .filter({ has: page.getByRole('heading', { name: /^Detailed description/ }) });
        await tile.getByRole('button', { name: 'Run now…' }).click();
        await tile.getByText(/^4 episodes, about \$/).waitFor();
        await tile.getByRole('button', { name: 'Cancel', exact: true }).click();
        const layer = 'dense_text';
        expect((await project.service.client.annotationJobs.list({ ...ids(), layer })).items).toEqual([]);
        await tile.getByRole('button', { name: 'Run now…' }).click();
        await tile.getByRole('button', { name: 'Run layer' }).click();
        await expect
          .poll(
            async () => (await project.service.client.annotationJobs.list({ ...ids(), layer })).items.length,
            wait,
          )
          .toBe(1);
        await tile.getByText('4 of 4 episodes').waitFor({ timeout: 240_000 });
        await tile.getByText('Done', { exact: true }).waitFor();
      });

      it('show the evidence for models, and let a project choose one', async () => {
        const { models, layers } = await settings();
        const surface = models.find(({ selectable, options }) => selectable && options.length > 1);
        const layer = layers.find(({ surfaces }) => surfaces.some((id) => id === surface?.id));
        const other = surface?.options.find(({ id }) => id !== surface.chosen.model);
        const page = await project.open('engineer');
        const tile = page
          .getByRole('listitem')
          .filter({ has: page.getByRole('heading', { name: new RegExp(`^${layer?.title}`) }) });
        // The tile grows when the status arrives.
        await tile.getByText(/ of \d+ episodes/).waitFor();
        await tile.getByText('Models and benchmarks').first().click();
        await tile
          .getByText(/\(reported by its authors\)|\(reported by others\)/)
          .first()
          .waitFor();
        await tile
          .getByRole('combobox')
          .first()
          .selectOption(other?.id ?? '');
        await tile.getByText('set by project').waitFor();
        expect((await settings()).project_models).toEqual({ [surface?.id ?? '']: other?.id });
        await tile.getByRole('combobox').first().selectOption({ label: 'Use inherited model' });
        await expect.poll(async () => (await settings()).project_models, wait).toEqual({});
      });

      it('show where each value comes from, and set and inherit a setting of a layer', async () => {
        const page = await project.open('engineer', '/settings');
        const form = page.getByRole('form', { name: 'Detailed description: target_words' });
        const row = page.getByRole('row').filter({ has: form });
        await row.getByText('default', { exact: true }).waitFor();
        await form.getByLabel('target_words').fill('60');
        await form.getByRole('button', { name: 'Save' }).click();
        await row.getByText('project', { exact: true }).waitFor();
        expect((await settings()).project_config).toEqual({ dense_text: { target_words: 60 } });
        await form.getByRole('button', { name: 'Reset' }).click();
        await row.getByText('default', { exact: true }).waitFor();
        expect((await settings()).project_config).toEqual({});
        const mode = page
          .getByRole('table', { name: 'Layer modes' })
          .getByRole('row', { name: /^Detailed description/ });
        await mode.getByText('project', { exact: true }).waitFor();
        await page.getByText('policy', { exact: true }).first().waitFor();
      });

      it('are read-only for a viewer, with the role that may change them', async () => {
        const page = await project.open('viewer', '/settings');
        const form = page.getByRole('form', { name: 'Detailed description: target_words' });
        await form.getByText('Requires the engineer role').waitFor();
        expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      });

      it('switch the mode of a layer', async () => {
        const page = await project.open('engineer');
        const flow = page.getByRole('listitem').filter({ hasText: 'Optical flow' });
        await flow.getByRole('button', { name: 'Off' }).click();
        await expect
          .poll(() => flow.getByRole('button', { name: 'Off' }).getAttribute('aria-pressed'), wait)
          .toBe('true');
        await expect
          .poll(async () => (await settings()).project_modes, wait)
          .toMatchObject({ optical_flow: 'off' });
      });

      it('change a threshold of a check, and re-evaluate the episodes', async () => {
        const page = await project.open('engineer', '/settings');
        const form = page.getByRole('form').filter({ hasText: 'Offset' }).first();
        await form.getByLabel('Offset').fill('0.1');
        await form.getByRole('button', { name: 'Save' }).click();
        await page.getByText('offset 0.1').waitFor();
        await page.getByRole('button', { name: 'Re-evaluate 4 episodes' }).click();
        await page.getByText('Started. See Runs and jobs.').waitFor();
      });

      it('choose the training loaders and return to the automatic choice', async () => {
        const page = await project.open('engineer', '/settings');
        const panel = page.getByRole('region', { name: 'Training loaders' });
        const stored = async () => (await project.service.client.readiness.getSettings(ids())).stored.loaders;
        await panel.getByText('automatic', { exact: true }).waitFor();
        await panel.getByLabel('GR00T N1.7').check();
        await panel.getByRole('button', { name: 'Save loaders' }).click();
        await panel.getByText('1 chosen').waitFor();
        expect(await stored()).toEqual(['gr00t']);
        await page.getByRole('button', { name: 'Re-evaluate 4 episodes' }).waitFor();
        await panel.getByRole('button', { name: 'Choose automatically' }).click();
        await panel.getByText('automatic', { exact: true }).waitFor();
        expect(await stored()).toBeUndefined();
      });
    });

    it('draw a layer over the video at the time of the player', async () => {
      const { client } = project.service;
      const [{ id: episode_id }] = (await client.episodes.list({ ...ids(), limit: 1, sort: 'name' })).items;
      await client.annotation.setSettings({ ...ids(), modes: { optical_flow: 'on_demand' } });
      await client.episodeAnnotations.annotate({
        ...ids(),
        episode_id,
        layer: 'optical_flow',
        force: true,
      });
      const page = await project.open('viewer', `/episodes/${episode_id}`);
      await page.getByLabel('Layer over the video').selectOption('Optical flow');
      const picture = page.getByRole('img', { name: /^Optical flow over / }).first();
      await picture.waitFor(wait);
      const first = await picture.getAttribute('src');
      await page.locator('.player').focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => picture.getAttribute('src'), wait).not.toBe(first);
      await shoot(page, 'layer-over-video');
      const requests: string[] = [];
      page.on('request', (each) => each.url().includes('/overlay?') && requests.push(each.url()));
      const started_ms = performance.now();
      await page.keyboard.press('Home');
      await page.keyboard.press(' ');
      await expect.poll(() => requests.length, wait).toBeGreaterThan(2);
      await page.keyboard.press(' ');
      const cameras = await page.locator('.player video').count();
      // At most four a second and camera while it plays, and one for each key.
      const most = cameras * ((performance.now() - started_ms) / 250 + 4);
      expect(requests.length).toBeLessThan(most);
      await page.getByLabel('Layer over the video').selectOption('None');
      await picture.waitFor({ state: 'detached' });
    });

    it('tell a layer without output at a time from one that cannot be drawn', async () => {
      const { client } = project.service;
      const [{ id }] = (await client.episodes.list({ ...ids(), limit: 1, sort: 'name' })).items;
      const page = await project.open('viewer', `/episodes/${id}`);
      const note = page.locator('.player-layer-note').first();
      let status = 404;
      await page.route(/\/overlay\?/, (route) =>
        status === 200
          ? route.continue()
          : route.fulfill({
              status,
              json: { detail: 'the decoder is busy', title: '', code: 'busy', status },
            }),
      );
      await page.getByLabel('Layer over the video').selectOption('Optical flow');
      await note.getByText('No output of this layer for this camera at this time').waitFor(wait);
      status = 503;
      await page.locator('.player').focus();
      await page.keyboard.press('ArrowRight');
      await note.getByText('the decoder is busy').waitFor(wait);
      status = 200;
      for (const button of await page.getByRole('button', { name: 'Try again' }).all()) await button.click();
      await page
        .getByRole('img', { name: /^Optical flow over / })
        .first()
        .waitFor(wait);
    });

    describe('texts of episodes', () => {
      let of: { readonly project_id: string; readonly episode_id: string; readonly layer: 'dense_text' };
      beforeAll(async () => {
        const { client } = project.service;
        const [episode] = (await client.episodes.list({ ...ids(), limit: 1, sort: 'name' })).items;
        of = { ...ids(), episode_id: episode.id, layer: 'dense_text' };
        await client.episodeAnnotations.annotate({ ...of, force: true });
      });
      const opened = async (role: Role) => {
        const page = await project.open(role, `/episodes/${of.episode_id}`);
        await page.getByRole('region', { name: 'Detailed description' }).getByRole('textbox').waitFor();
        return page;
      };
      const textOf = async () => (await project.service.client.episodeAnnotations.get(of)).edit?.text;

      it('can be edited, and the text of the model stays in the history', async () => {
        const machine = String(
          (await project.service.client.episodeAnnotations.get(of)).machine?.artifact?.text,
        );
        const page = await opened('reviewer');
        const box = page.getByRole('region', { name: 'Detailed description' }).getByRole('textbox');
        expect(await box.inputValue()).toBe(machine);
        await box.fill('The arm lifts the green cup.');
        await page.getByRole('button', { name: 'Save text' }).click();
        await page.getByText('No changes').waitFor();
        expect(await textOf()).toBe('The arm lifts the green cup.');
        await page.getByText('Text history').click();
        await page
          .getByRole('listitem')
          .filter({ hasText: machine.slice(0, 40) })
          .waitFor();
      });

      it('show both versions when two people write at once, and lose neither', async () => {
        const [mine, theirs] = [await opened('reviewer'), await opened('reviewer')];
        const boxOf = (page: typeof mine) =>
          page.getByRole('region', { name: 'Detailed description' }).getByRole('textbox');
        await boxOf(mine).fill('Mine: it puts the cup down.');
        await boxOf(theirs).fill('Theirs: it drops the cup.');
        await theirs.getByRole('button', { name: 'Save text' }).click();
        await theirs.getByText('No changes').waitFor();
        // Seen before anything is saved.
        const conflict = mine.getByRole('alert').filter({ hasText: 'Someone else changed this text' });
        await conflict.getByText('Theirs: it drops the cup.').waitFor();
        expect(await boxOf(mine).inputValue()).toBe('Mine: it puts the cup down.');
        await mine.reload();
        await conflict.getByText('Theirs: it drops the cup.').waitFor();
        expect(await boxOf(mine).inputValue()).toBe('Mine: it puts the cup down.');
        await mine.getByRole('button', { name: 'Append theirs to mine' }).click();
        expect(await boxOf(mine).inputValue()).toBe(
          'Mine: it puts the cup down.\n\nTheirs: it drops the cup.',
        );
        await mine.getByRole('button', { name: 'Save text' }).click();
        await mine.getByText('No changes').waitFor();
        expect(await textOf()).toBe('Mine: it puts the cup down.\n\nTheirs: it drops the cup.');
        const { items } = await project.service.client.episodeAnnotations.listEdits(of);
        expect(items.map(({ text }) => text)).toContain('Theirs: it drops the cup.');
      });

      it('are not saved over a version that the page has not shown', async () => {
        const page = await opened('reviewer');
        const box = page.getByRole('region', { name: 'Detailed description' }).getByRole('textbox');
        await box.fill('Late.');
        // This page does not hear of what is written now.
        await page.route('**/annotations/dense_text', (route) =>
          route.request().method() === 'GET' ? route.abort() : route.continue(),
        );
        await project.service.client.episodeAnnotations.editDenseText({ ...of, text: 'Early.' });
        await page.getByRole('button', { name: 'Save text' }).click();
        await expect.poll(textOf, wait).toBe('Early.');
        await page.unroute('**/annotations/dense_text');
        await page.getByRole('alert').filter({ hasText: 'Early.' }).waitFor();
        expect(await box.inputValue()).toBe('Late.');
        await page.getByText('Text history').click();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Overwrite with my text' }).click();
        await expect.poll(textOf, wait).toBe('Late.');
      });

      it('are read-only for a viewer, with the role that may write', async () => {
        const page = await opened('viewer');
        const region = page.getByRole('region', { name: 'Detailed description' });
        expect(await region.getByRole('textbox').getAttribute('readonly')).not.toBeNull();
        await region.getByText('Requires the reviewer role').waitFor();
      });
    });
  },
);
