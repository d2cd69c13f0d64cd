import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, watchPage } from '../report-browser.ts';
import { allowExports, expectSound, openRoom, type Room } from './rooms.ts';
import { wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `curation in the web application${reason}`,
  { timeout: 400_000 },
  () => {
    let room: Room;
    beforeAll(async () => {
      room = await openRoom();
      await allowExports(room);
    }, 600_000);
    afterAll(() => room?.close());

    it('builds a plan from the registry, orders it, and says beside the field what is wrong', async () => {
      const page = await room.open('viewer', '/curation');
      const add = page.getByLabel('Add a stage');
      const { items } = await room.service.client.curation.listStrategies({ project_id: room.project_id });
      await expect.poll(() => add.locator('option').count(), wait).toBe(items.length + 1);
      await add.selectOption('length');
      await add.selectOption('flag');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page
        .getByRole('listitem', { name: 'Stage 2: Drop by flag' })
        .getByText('It must be given.')
        .waitFor();
      await page.getByLabel('signal jump').check();
      await page.getByLabel('least', { exact: true }).fill('-1');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page
        .getByRole('listitem', { name: 'Stage 1: Length' })
        .getByText(/expected number to be >=0/)
        .waitFor();
      await page.getByLabel('least', { exact: true }).fill('');
      await page.getByRole('button', { name: /Later.*Length/ }).click();
      await page.getByRole('listitem', { name: 'Stage 1: Drop by flag' }).waitFor();
      await page.reload();
      await page.getByRole('listitem', { name: 'Stage 2: Length' }).waitFor();
      expect(await page.getByLabel('signal jump').isChecked()).toBe(true);
    });

    it('previews, attributes every dropped episode, applies what was shown, and exports what is kept', async () => {
      const page = await room.open('engineer', '/curation');
      const seen = watchPage(page);
      const { service, project_id } = room;
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
      await page.getByLabel('Name of the plan').fill('half');
      await page.getByRole('button', { name: 'Apply what is shown' }).click();
      await page.getByText('Applied as half').waitFor();
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByText(`Under way with ${preview.kept.length} episode`).waitFor();
      const [made] = (await service.client.exports.list({ project_id })).items;
      const [plan] = (await service.client.curation.listPlans({ project_id })).items;
      expect(made.chosen.curation_id).toBe(plan.id);
      expect([plan.name, plan.plan_hash]).toEqual(['half', preview.plan_hash]);
      expect(seen.complaints).toEqual([]);
    });

    it('refuses to apply where the episodes have changed since the preview', async () => {
      const page = await room.open('engineer', '/curation?stages=[{"strategy":"decision"}]');
      const { service, project_id } = room;
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('heading', { name: 'Before and after' }).waitFor();
      const { items } = await service.client.episodes.list({ project_id, decision: ['review'], limit: 1 });
      await service.client.episodes.createReview({ episode_id: items[0].id, decision: 'accept' });
      await page.getByRole('button', { name: 'Apply what is shown' }).click();
      await page.getByRole('alert').waitFor();
      expect((await service.client.curation.listPlans({ project_id })).items.map(({ name }) => name)).toEqual(
        ['half'],
      );
    });

    it('takes what is recommended, and shows to a viewer what others may', async () => {
      const page = await room.open('viewer', '/curation');
      await page.getByRole('button', { name: 'What is recommended?' }).click();
      await page.getByRole('button', { name: 'Take this plan' }).click();
      const { plan } = await room.service.client.curation.recommend({ project_id: room.project_id });
      await expect.poll(() => page.locator('.stage').count(), wait).toBe(plan.stages.length);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('Needs the role engineer').waitFor();
    });

    it('has no fault that axe finds serious, wide and narrow', async () => {
      await expectSound(
        room,
        'engineer',
        '/curation?stages=[{"strategy":"balance"},{"strategy":"flag","parameters":{"codes":["signal_jump"]}}]',
        async (page) => {
          await page.getByRole('button', { name: 'Preview' }).click();
          await page.getByRole('heading', { name: 'Before and after' }).waitFor();
        },
      );
      const [{ id }] = (await room.service.client.curation.listPlans({ project_id: room.project_id })).items;
      await expectSound(room, 'viewer', `/curation/${id}`, (page) =>
        page.getByRole('heading', { name: 'Before and after' }).waitFor(),
      );
    });
  },
);
