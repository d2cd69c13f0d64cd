import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../report-browser.ts';
import { assessSome, faultsOf, looks, pagesOf, startWebService, wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `layers and settings in the web application${reason}`,
  { timeout: 300_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    let project_id: string;
    const pages = pagesOf(() => service);
    beforeAll(async () => {
      service = await startWebService();
      ({ project_id } = await assessSome(service));
    }, 600_000);
    afterAll(async () => {
      await pages.close();
      await service?.stop();
    });
    const opened = async (path: string, ...how: Parameters<typeof pages.opened>) => {
      const page = await pages.opened(...how);
      page.setDefaultTimeout(wait.timeout);
      await page.goto(`${service.address}/projects/${project_id}${path}`);
      return page;
    };
    const settings = () => service.client.annotation.getSettings({ project_id });

    it('tell what a layer does and costs before the yes, and take no for an answer', async () => {
      await service.client.annotation.setSettings({ project_id, modes: { dense_text: 'on_demand' } });
      const page = await opened('', 'engineer');
      const tile = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: /^Dense text/ }) });
      await tile.getByRole('button', { name: 'Run now …' }).click();
      await tile.getByText(/^10 episodes, about \$/).waitFor();
      await tile.getByRole('button', { name: 'No', exact: true }).click();
      const layer = 'dense_text';
      expect((await service.client.annotationJobs.list({ project_id, layer })).items).toEqual([]);
      await tile.getByRole('button', { name: 'Run now …' }).click();
      await tile.getByRole('button', { name: 'Yes, run it' }).click();
      await expect
        .poll(
          async () => (await service.client.annotationJobs.list({ project_id, layer })).items.length,
          wait,
        )
        .toBe(1);
      await tile.getByText('10 of 10 episodes').waitFor({ timeout: 240_000 });
      await tile.getByText('Is done').waitFor();
    });

    it('show the evidence of models, and let a project choose among them', async () => {
      const { models, layers } = await settings();
      const surface = models.find(({ selectable, options }) => selectable && options.length > 1);
      const layer = layers.find(({ surfaces }) => surfaces.some((id) => id === surface?.id));
      const other = surface?.options.find(({ id }) => id !== surface.chosen.model);
      const page = await opened('', 'engineer');
      const tile = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: new RegExp(`^${layer?.title}`) }) });
      await tile.getByText('Models and evidence').first().click();
      await tile
        .getByText(/\(by its authors\)|\(quoted by others\)/)
        .first()
        .waitFor();
      await tile
        .getByRole('combobox')
        .first()
        .selectOption(other?.id ?? '');
      await tile.getByText('from project').waitFor();
      expect((await settings()).project_models).toEqual({ [surface?.id ?? '']: other?.id });
      await tile.getByRole('combobox').first().selectOption({ label: 'As inherited' });
      await expect.poll(async () => (await settings()).project_models, wait).toEqual({});
    });

    it('say of each value where it comes from, and set and inherit a knob', async () => {
      const page = await opened('/settings', 'engineer');
      const form = page.getByRole('form', { name: 'Dense text: target_words' });
      const row = page.getByRole('row').filter({ has: form });
      await row.getByText('default', { exact: true }).waitFor();
      await form.getByLabel('target_words').fill('60');
      await form.getByRole('button', { name: 'Set' }).click();
      await row.getByText('project', { exact: true }).waitFor();
      expect((await settings()).project_config).toEqual({ dense_text: { target_words: 60 } });
      await form.getByRole('button', { name: 'Inherit' }).click();
      await row.getByText('default', { exact: true }).waitFor();
      expect((await settings()).project_config).toEqual({});
      const mode = page
        .getByRole('table', { name: 'Modes of the layers' })
        .getByRole('row', { name: /^Dense text/ });
      await mode.getByText('project', { exact: true }).waitFor();
      await page.getByText('policy', { exact: true }).first().waitFor();
    });

    it('are closed to a viewer, who is told the role', async () => {
      const page = await opened('/settings', 'viewer');
      const form = page.getByRole('form', { name: 'Dense text: target_words' });
      await form.getByText('Needs the role engineer').waitFor();
      expect(await form.getByRole('button', { name: 'Set' }).isDisabled()).toBe(true);
    });

    it.each(looks)('have no fault that axe finds serious and fit the window, %s', async (_, look) => {
      const page = await opened('', 'engineer', look);
      await page.getByText('Models and evidence').first().waitFor();
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
      await page.goto(`${service.address}/projects/${project_id}/settings`);
      await page.getByRole('heading', { name: 'Knobs of the layers' }).waitFor();
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
    });
  },
);
