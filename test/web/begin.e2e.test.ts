import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#samples';
import { chromiumPath, watchPage } from '../report-browser.ts';
import { faultsOf, looks, pagesOf, startWebService, wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `beginning in the web application${reason}`,
  { timeout: 300_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    const pages = pagesOf(() => service);
    beforeAll(async () => {
      service = await startWebService();
      await writeTeleopLeRobot(join(service.recordings, 'teleop'), 7, () => {}, {
        episodes: 4,
        plan: { 1: ['jump', 'medium'] },
      });
    }, 600_000);
    afterAll(async () => {
      await pages.close();
      await service?.stop();
    });

    it('makes a project, adds a folder, plans a run, starts it and follows it to its verdicts', async () => {
      const page = await pages.opened('engineer');
      page.setDefaultTimeout(wait.timeout);
      await page.getByText('There is no project yet').waitFor();
      await page.getByRole('button', { name: 'New project' }).click();
      await page.getByLabel('Name', { exact: true }).fill('pick and place');
      await page.getByLabel('Name of the new workspace').fill('lab');
      await page
        .getByRole('combobox', { name: 'Use case', exact: true })
        .selectOption({ label: 'Robotic manipulation' });
      await page.getByRole('radio', { name: /^Behaviour cloning/ }).check();
      await page.getByRole('radio', { name: /^Readiness only/ }).check();
      await page.getByLabel('Kind of the recordings').selectOption('teleop');
      await page.getByRole('button', { name: 'Create the project' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();

      const path = page.getByLabel('Path', { exact: true });
      await path.fill('/etc');
      await page.getByRole('button', { name: 'Add the source' }).click();
      const refusal = page.getByRole('alert');
      await refusal.waitFor();
      expect(await refusal.textContent()).toContain(realpathSync(service.recordings));
      expect(await path.inputValue()).toBe('/etc');
      await path.fill(service.recordings);
      await page.getByRole('button', { name: 'Add the source' }).click();
      await page.getByText('recordings is a source now').waitFor();

      await page.getByRole('button', { name: 'Plan a run' }).click();
      await page.getByText(/^4 episodes, .* of computing/).waitFor();
      await page.getByRole('button', { name: 'Start this run' }).click();
      await page.getByRole('heading', { level: 1, name: /^Run of / }).waitFor();
      await page.getByText(/^succeeded · attempt 1$/).waitFor({ timeout: 240_000 });
      await page.getByText('4 of 4 judged').waitFor();

      const [project] = (await service.client.projects.list({})).items;
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

    it('says on the first screen what waits, and leads there', async () => {
      const [project] = (await service.client.projects.list({})).items;
      const { id: project_id } = project;
      const made = await service.client.exports.create({
        project_id,
        format: 'lerobot-v3',
        episodes: { decisions: ['accept', 'review', 'reject'] },
      });
      await expect
        .poll(async () => (await service.client.exports.get({ project_id, export_id: made.id })).status, {
          timeout: 240_000,
          interval: 500,
        })
        .toBe('succeeded');
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
      const page = await pages.opened('viewer');
      await page.getByRole('link', { name: '1 export to seal' }).waitFor(wait);
      const { episodes } = await service.client.episodes.summariseProject({
        project_id,
        decision: ['review'],
        review_decision: ['none', 'review'],
      });
      expect(await page.getByRole('link', { name: /to review$/ }).count()).toBe(episodes > 0 ? 1 : 0);
      await page.getByRole('link', { name: '1 run failed' }).waitFor(wait);
      await page.getByRole('link', { name: '1 export to seal' }).click();
      await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor(wait);
    });

    it('shows a viewer every control, closed, with the role that opens it', async () => {
      const page = await pages.opened('viewer');
      expect(await page.getByRole('button', { name: 'New project' }).isDisabled()).toBe(true);
      await page.getByText('Needs the role engineer').waitFor(wait);
      await page.goto(`${service.address}/new-project`);
      await page.getByRole('button', { name: 'Create the project' }).waitFor(wait);
      expect(await page.getByRole('button', { name: 'Create the project' }).isDisabled()).toBe(true);
      const [project] = (await service.client.projects.list({})).items;
      await page.goto(`${service.address}/projects/${project.id}/sources`);
      for (const name of ['Add the source', 'Files …', 'A folder …', 'Plan a run']) {
        const button = page.getByRole('button', { name }).first();
        await button.waitFor(wait);
        expect([name, await button.isDisabled()]).toEqual([name, true]);
      }
    });

    it.each(looks)('has no fault that axe finds serious and fits the window, %s', async (_, look) => {
      const page = await pages.opened('engineer', look);
      const seen = watchPage(page);
      const [project] = (await service.client.projects.list({})).items;
      const screens = [
        ['/', 'export to seal'],
        ['/new-project', 'What is annotated'],
        [`/projects/${project.id}`, 'Start a run'],
        [`/projects/${project.id}/sources`, 'episodes judged'],
      ] as const;
      for (const [path, text] of screens) {
        await page.goto(service.address + path);
        await page.getByText(text).first().waitFor(wait);
        expect([path, await faultsOf(page)]).toEqual([path, { axe: [], overflow_px: 0 }]);
      }
      expect(seen.complaints).toEqual([]);
    });
  },
);
