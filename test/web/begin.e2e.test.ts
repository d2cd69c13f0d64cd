import { cpSync, mkdirSync, openAsBlob, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { sharedResource } from '../support/shared-resources.ts';
import { type Pages, pagesOf } from './test-project.ts';
import { joinWebService, type WebService, wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(
  `from a new project to a download in the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let service: WebService;
    let pages: Pages;
    beforeAll(async () => {
      service = await joinWebService();
      pages = pagesOf(service);
      const { folder } = await sharedResource('demonstrations-4');
      cpSync(folder, service.recordings, { recursive: true });
    }, 600_000);
    afterAll(() => pages?.close());
    /** The only project, once the first test has created it. */
    const projectOf = async () => (await service.client.projects.list({})).items[0];

    it('creates a project, adds a folder, plans a run, starts it and follows it to its verdicts', async () => {
      const page = await pages.open('engineer');
      await page.getByText('No projects yet').waitFor();
      await page.getByRole('button', { name: 'New project' }).click();
      await page.getByLabel('Name', { exact: true }).fill('pick and place');
      await page.getByLabel('New workspace name').fill('lab');
      await page
        .getByRole('combobox', { name: 'Use case', exact: true })
        .selectOption({ label: 'Robotic manipulation' });
      await page.getByRole('radio', { name: /^Behaviour cloning/ }).check();
      await page.getByRole('radio', { name: /^Readiness only/ }).check();
      await page.getByLabel('Recording kind').selectOption('teleop');
      await page.getByRole('button', { name: 'Create project' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();

      const path = page.getByLabel('Path or address');
      await path.fill('/etc');
      await page.getByRole('button', { name: 'Add source' }).click();
      const refusal = page.getByRole('alert');
      await refusal.waitFor();
      expect(await refusal.textContent()).toContain(realpathSync(dirname(service.recordings)));
      expect(await path.inputValue()).toBe('/etc');
      await path.fill(service.recordings);
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.getByText(`Added source ${basename(service.recordings)}`).waitFor();

      await page.getByRole('button', { name: 'Plan a run' }).click();
      await page.getByText(/^4 episodes, .* of compute time/).waitFor();
      await page.getByRole('button', { name: 'Start run' }).click();
      await page.getByRole('heading', { level: 1, name: /^Run of / }).waitFor();
      await page.getByText(/^succeeded · attempt 1$/).waitFor({ timeout: 240_000 });
      await page.getByText('4 of 4 evaluated').waitFor();

      const project = await projectOf();
      expect(project).toMatchObject({
        name: 'pick and place',
        use_case: 'robotic-manipulation',
        target_profile: 'behaviour-cloning',
        data_kind: { pinned: 'teleop' },
        episodes: 4,
      });
      const settings = await service.client.annotation.getSettings({ project_id: project.id });
      expect(settings.project_modes).toMatchObject({ captions: 'in_run', object_labels: 'off' });
    });

    it('exports what was accepted, shows on the first screen what is to do, seals and downloads the export', async () => {
      const { id: project_id } = await projectOf();
      const engineer = await pages.open('engineer', `/projects/${project_id}/exports`);
      await engineer.getByRole('button', { name: 'Export', exact: true }).click();
      await engineer.getByRole('button', { name: 'Seal' }).waitFor({ timeout: 240_000 });
      const odd = join(service.recordings, 'odd');
      mkdirSync(odd);
      writeFileSync(join(odd, 'take.mcap'), 'no recording at all');
      const source = await service.client.sources.create({ project_id, kind: 'folder', path: odd });
      const run = await service.client.runs.start({ project_id, source_id: source.id });
      await expect
        .poll(async () => (await service.client.runs.get({ run_id: run.id })).status, {
          timeout: 120_000,
          interval: 500,
        })
        .toBe('failed');
      const page = await pages.open('reviewer');
      await page.getByRole('link', { name: '1 export to seal' }).waitFor();
      const { episodes } = await service.client.episodes.summariseProject({
        project_id,
        decision: ['review'],
        review_decision: ['none', 'review'],
      });
      expect(episodes).toBeGreaterThan(0);
      expect(await page.getByRole('link', { name: /to review$/ }).count()).toBe(1);
      await page.getByRole('link', { name: '1 run failed' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: '1 export to seal' }).click();
      await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor();
      await page.getByRole('button', { name: 'Seal' }).click();
      await engineer.getByText(/^sealed [A-Z]/).waitFor({ timeout: 240_000 });
      await expectAccessible(engineer);
      const [download] = await Promise.all([
        engineer.waitForEvent('download'),
        engineer.getByRole('link', { name: 'Download' }).click(),
      ]);
      const file = await openAsBlob(await download.path());
      expect(await file.slice(0, 2).text()).toBe('PK');
      expect(download.suggestedFilename()).toMatch(/\.zip$/);
    });

    it('shows a viewer every control disabled, with the role that may use it', async () => {
      const page = await pages.open('viewer');
      await page.getByRole('button', { name: 'New project' }).waitFor();
      expect(await page.getByRole('button', { name: 'New project' }).isDisabled()).toBe(true);
      await page.getByText('Requires the engineer role').waitFor(wait);
      await page.goto(`${service.address}/new-project`);
      await page.getByRole('button', { name: 'Create project' }).waitFor(wait);
      expect(await page.getByRole('button', { name: 'Create project' }).isDisabled()).toBe(true);
      const project = await projectOf();
      await page.goto(`${service.address}/projects/${project.id}/sources`);
      for (const name of ['Add source', 'Choose files…', 'Choose folder…', 'Plan a run']) {
        const button = page.getByRole('button', { name }).first();
        await button.waitFor(wait);
        expect([name, await button.isDisabled()]).toEqual([name, true]);
      }
    });
  },
);
