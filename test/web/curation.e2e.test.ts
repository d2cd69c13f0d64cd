import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, watchPage } from '../report-browser.ts';
import { runEnded } from '../support/shared-demonstrations.ts';
import { allowExports, openOwnProject, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

/** One project for all: what a suite changes does not touch what later ones expect. */
describe.skipIf(chromiumPath === undefined)(
  `choosing episodes in the web application${noBrowser}`,
  { timeout: 400_000 },
  () => {
    let project: TestProject;
    let cubes: string;
    let blocks: string;
    beforeAll(async () => {
      project = await openOwnProject(10);
      await allowExports(project);
      const save = async (name: string, text: string) =>
        (await project.service.client.search.createSlice({ ...ids(), name, query: { filter: { text } } })).id;
      cubes = await save('cubes', 'red cube');
      blocks = await save('blocks', 'block');
      await save('all of the cube', 'cube');
    }, 600_000);
    afterAll(() => project?.close());
    const ids = () => ({ project_id: project.project_id });

    describe('curation', () => {
      it('builds and reorders a plan, and shows errors beside the fields', async () => {
        const page = await project.open('viewer', '/curation');
        const add = page.getByLabel('Add a stage');
        const { items } = await project.service.client.curation.listStrategies({
          project_id: project.project_id,
        });
        await expect.poll(() => add.locator('option').count(), wait).toBe(items.length + 1);
        await add.selectOption('length');
        await add.selectOption('flag');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('listitem', { name: 'Stage 2: Flag filter' }).getByText('Required.').waitFor();
        await page.getByLabel('Signal jump').check();
        await page.getByLabel('min', { exact: true }).fill('-1');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page
          .getByRole('listitem', { name: 'Stage 1: Length' })
          .getByText(/expected number to be >=0/)
          .waitFor();
        await page.getByLabel('min', { exact: true }).fill('');
        await page.getByRole('button', { name: /Move down.*Length/ }).click();
        await page.getByRole('listitem', { name: 'Stage 1: Flag filter' }).waitFor();
        await page.reload();
        await page.getByRole('listitem', { name: 'Stage 2: Length' }).waitFor();
        expect(await page.getByLabel('Signal jump').isChecked()).toBe(true);
      });

      it('previews, shows the stage that dropped each episode, applies the preview, and exports the kept episodes', async () => {
        const page = await project.open('engineer', '/curation');
        const seen = watchPage(page);
        const { service, project_id } = project;
        const add = page.getByLabel('Add a stage');
        await add.selectOption('decision');
        await add.selectOption('random');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('heading', { name: 'Before and after' }).waitFor();
        const stages = [{ strategy: 'decision' }, { strategy: 'random' }];
        const preview = await service.client.curation.preview({ project_id, stages });
        await page.getByText(preview.plan_hash).waitFor();
        await page.getByText(`${preview.kept.length} of 10 episodes`).waitFor();
        const dropped = page.getByRole('region', { name: 'Dropped episodes' }).last();
        await expect.poll(() => dropped.getByRole('row').count(), wait).toBe(preview.dropped.length + 1);
        await page.getByLabel('Dropped by').selectOption('2');
        const second = preview.dropped.filter(({ stage }) => stage === 2).length;
        await expect.poll(() => dropped.getByRole('row').count(), wait).toBe(second + 1);
        await page.getByLabel('Plan name').fill('half');
        await page.getByRole('button', { name: 'Apply this plan' }).click();
        await page.getByText('Applied as half').waitFor();
        await page.getByRole('button', { name: 'Export', exact: true }).click();
        await page.getByText(`Export of ${preview.kept.length} episode`).waitFor();
        const [made] = (await service.client.exports.list({ project_id })).items;
        const [plan] = (await service.client.curation.listPlans({ project_id })).items;
        expect(made.chosen.curation_id).toBe(plan.id);
        expect([plan.name, plan.plan_hash]).toEqual(['half', preview.plan_hash]);
        expect(seen.complaints).toEqual([]);
        await page.goto(`${service.address}${project.below}/curation/${plan.id}`);
        await page.getByRole('heading', { name: 'Before and after' }).waitFor();
        await expectAccessible(page);
      });

      it('refuses to apply if the episodes have changed since the preview', async () => {
        const page = await project.open('engineer', '/curation?stages=[{"strategy":"decision"}]');
        const { service, project_id } = project;
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('heading', { name: 'Before and after' }).waitFor();
        const { items } = await service.client.episodes.list({ project_id, decision: ['review'], limit: 1 });
        await service.client.episodes.createReview({ episode_id: items[0].id, decision: 'accept' });
        await page.getByRole('button', { name: 'Apply this plan' }).click();
        await page.getByRole('alert').waitFor();
        expect(
          (await service.client.curation.listPlans({ project_id })).items.map(({ name }) => name),
        ).toEqual(['half']);
      });

      it('takes the suggested plan, and names the role that may apply it', async () => {
        const page = await project.open('viewer', '/curation');
        await page.getByRole('button', { name: 'Suggest a plan' }).click();
        await page.getByRole('button', { name: 'Start from this plan' }).click();
        const { plan } = await project.service.client.curation.recommend({ project_id: project.project_id });
        await expect.poll(() => page.locator('.stage').count(), wait).toBe(plan.stages.length);
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByText('Requires the engineer role').waitFor();
        await page.getByRole('heading', { name: 'Before and after' }).waitFor();
        await expectAccessible(page);
      });
    });

    describe('slices', () => {
      it('shows the query, hashes and members of a slice, and how it differs from another', async () => {
        const page = await project.open('viewer', '/slices');
        await page.getByRole('link', { name: 'cubes', exact: true }).click();
        await page.getByText('task text: red cube').waitFor();
        const { response_hash, settings_hash } = await project.service.client.search.getSlice({
          ...{ project_id: project.project_id, slice_id: cubes },
        });
        await page.getByText(response_hash).waitFor();
        await page.getByText(settings_hash).waitFor();
        await expect.poll(() => page.locator('table .episode-link').count(), wait).toBe(4);
        await page.getByText('4 episodes are in both.').waitFor();
        await page.getByLabel('Compare with').selectOption({ label: 'blocks (3)' });
        await page.getByText('0 episodes are in both.').waitFor();
        const there = page.getByRole('region', { name: 'Only in blocks' });
        await there.getByRole('link', { name: 'episode_000001' }).waitFor();
        expect(await there.getByRole('link').count()).toBe(3);
        await page.reload();
        await page.getByText('0 episodes are in both.').waitFor();
        expect(await page.getByText('Requires the reviewer role').count()).toBe(2);
        await expectAccessible(page);
      });

      it('locks a slice after explaining it; refuses to export it for training, and offers an export for evaluation', async () => {
        const page = await project.open('reviewer', `/slices/${cubes}`);
        await page.getByRole('button', { name: 'Lock for evaluation' }).click();
        await page.getByText('Locking reserves these episodes').waitFor();
        await page.getByRole('button', { name: 'Lock slice' }).click();
        await page.getByText('Already locked for evaluation').waitFor();
        await page.getByText('Requires the admin role').waitFor();
        const engineer = await project.open('engineer', `/slices/${cubes}`);
        await engineer.getByRole('button', { name: 'Export', exact: true }).click();
        const refused = engineer.getByRole('alert');
        await refused.getByText('4 of the episodes are reserved for evaluation').waitFor();
        await refused.getByRole('button', { name: 'Export for evaluation' }).click();
        await engineer.getByText('Export of 4 episodes started').waitFor();
        const { items } = await project.service.client.exports.list({ project_id: project.project_id });
        const held = items.filter(({ purpose }) => purpose === 'evaluation');
        expect(held.map(({ episodes }) => episodes.kept)).toEqual([4]);
      });

      it('deletes a slice after confirmation', async () => {
        const page = await project.open('reviewer', '/slices');
        await page.getByRole('table').waitFor();
        await expectAccessible(page);
        await page.getByRole('link', { name: 'all of the cube' }).click();
        await page.getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByRole('button', { name: 'Delete slice' }).click();
        await page.getByRole('heading', { level: 1, name: 'Slices' }).waitFor();
        await expect.poll(() => page.getByRole('link', { name: 'all of the cube' }).count(), wait).toBe(0);
      });
    });

    describe('comparison', () => {
      it('compares the latest run with the one before, differences first', async () => {
        // Assesses again without the check that found the jumps.
        const { client } = project.service;
        await client.readiness.setSettings({ ...ids(), checks: { kinematic_sanity: { enabled: false } } });
        await client.readiness.rescoreProject(ids());
        const [{ id: later }] = (await client.runs.list(ids())).items;
        expect(later).not.toBe(project.run_id);
        await runEnded(client, later);
        const page = await project.open('viewer', '/compare');
        const seen = watchPage(page);
        const { project_id, run_id } = project;
        const compared = await client.episodes.compare({
          ...{ project_id, one: { run_id }, other: { run_id: later } },
        });
        expect(compared.one.flags).toContainEqual({ value: 'signal_jump', episodes: 2 });
        expect(compared.other.flags.map(({ value }) => value)).not.toContain('signal_jump');
        await page.getByText(/^10 episodes are in both, 0 only on the left/).waitFor();
        const differs = page.getByRole('region', { name: 'Differences' }).last();
        const jump = differs.getByRole('row', { name: /^Flag: Signal jump/ });
        expect(await jump.getByRole('cell').allTextContents()).toEqual(['Flag: Signal jump', '2', '0', '−2']);
        expect(await differs.getByRole('row', { name: /^Episodes/ }).count()).toBe(0);
        const changes = page.getByRole('region', { name: 'Episodes with different results' }).last();
        await expect.poll(() => changes.getByRole('row').count(), wait).toBe(compared.changes.length + 1);
        await changes.getByRole('row', { name: /episode_000001.*Signal jump/ }).waitFor();
        await expectAccessible(page);
        expect(seen.complaints).toEqual([]);
      });

      it('compares two slices, from the page of one', async () => {
        const page = await project.open('viewer', `/slices/${cubes}?with=${blocks}`);
        await page.getByRole('link', { name: 'Compare side by side' }).click();
        await page.getByText('0 episodes are in both, 4 only on the left, 3 only on the right.').waitFor();
        await page.getByLabel('Right').selectOption(cubes);
        await page.getByText('4 episodes are in both').waitFor();
        await page.getByText('All episodes in both have the same decision and flags.').waitFor();
      });
    });

    describe('the certification policy', () => {
      const versions = async () =>
        (await project.service.client.certification.listPolicies({ project_id: project.project_id })).items;

      it('shows contradictions beside the fields, and saves only what was tried', async () => {
        const page = await project.open('reviewer', '/certification/policy');
        await page.getByText('No changes').waitFor();
        const review = page.getByLabel(/^Timestamp jitter: review threshold/);
        await review.fill('0.1');
        await page.getByText('Do a dry run first').waitFor();
        await page.getByRole('button', { name: 'Dry run' }).click();
        const row = page.locator('tr', { hasText: 'Timestamp jitter' });
        await row.getByText('is stricter than its ideal threshold').waitFor();
        expect(await review.getAttribute('aria-invalid')).toBe('true');
        expect(await page.getByRole('button', { name: 'Save as new version' }).isDisabled()).toBe(true);
        await review.fill('');
        await page.getByRole('button', { name: 'Dry run' }).click();
        await row.getByText(/expected number/).waitFor();
        expect(await versions()).toEqual([]);
      });

      it('shows which verdicts would change, saves a new version, and shows what changed in it', async () => {
        const page = await project.open('reviewer', '/certification/policy');
        const ideal = page.getByLabel(/^Camera–signal lag: ideal threshold/);
        await ideal.fill('0');
        await page.getByLabel(/^Camera–signal lag: review threshold/).fill('0');
        await page.getByLabel(/^Camera–signal lag: requirement/).selectOption('required');
        await page.getByRole('button', { name: 'Dry run' }).click();
        const tried = page.getByRole('region', { name: 'Dry run result' });
        await tried.waitFor();
        expect(await versions()).toEqual([]);
        await expectAccessible(page);
        const summary = await tried.getByRole('status').textContent();
        const changed = Number(/^(\d+) of 10 episodes/.exec(summary ?? '')?.[1]);
        expect(changed).toBeGreaterThan(0);
        expect(await tried.getByRole('row').count()).toBe(changed + 1);
        await tried
          .getByText(/episode_0000\d\d/)
          .first()
          .waitFor();
        await page.getByRole('button', { name: 'Save as new version' }).click();
        await page.getByRole('heading', { level: 1, name: 'Certification', exact: true }).waitFor();
        expect(page.url()).toContain('policy=1');
        const [{ policy }] = await versions();
        expect(policy.metrics.find(({ metric }) => metric === 'sync.content_lag')).toMatchObject({
          ...{ need: 'required', ideal: 0, review: 0, source: 'set manually' },
        });
        await page.getByRole('link', { name: 'Edit policy' }).click();
        await page.getByText('From the default policy to version 1').waitFor();
        const row = page.getByRole('row', { name: /^Camera–signal lag/ });
        await row.getByText('ideal ≤ 50 ms').waitFor();
        await row.getByText('ideal ≤ 0 ms').waitFor();
      });

      it('lets a viewer try a policy, and names the role that may save it', async () => {
        const page = await project.open('viewer', '/certification/policy');
        await page.getByLabel(/^Timestamp jitter: ideal threshold/).fill('0.3');
        await page.getByRole('button', { name: 'Dry run' }).click();
        await page
          .getByText(/would get a different verdict\.$/)
          .first()
          .waitFor();
        await page.getByText('Requires the reviewer role').waitFor();
        await expect
          .poll(() => page.getByRole('button', { name: 'Save as new version' }).isDisabled(), wait)
          .toBe(true);
      });
    });
  },
);
