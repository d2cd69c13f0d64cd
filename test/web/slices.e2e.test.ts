import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../report-browser.ts';
import { allowExports, expectSound, openRoom, type Room } from './rooms.ts';
import { wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `slices in the web application${reason}`,
  { timeout: 400_000 },
  () => {
    let room: Room;
    let cubes: string;
    beforeAll(async () => {
      room = await openRoom();
      const { service, project_id } = room;
      await allowExports(room);
      const save = (name: string, text: string) =>
        service.client.search.createSlice({ project_id, name, query: { filter: { text } } });
      ({ id: cubes } = await save('cubes', 'red cube'));
      await save('blocks', 'block');
      await save('all of the cube', 'cube');
    }, 600_000);
    afterAll(() => room?.close());

    it('shows what was asked, its hashes and members, and what differs from another', async () => {
      const page = await room.open('viewer', '/slices');
      await page.getByRole('link', { name: 'cubes', exact: true }).click();
      await page.getByText('words: red cube').waitFor();
      const { response_hash, settings_hash } = await room.service.client.search.getSlice({
        ...{ project_id: room.project_id, slice_id: cubes },
      });
      await page.getByText(response_hash).waitFor();
      await page.getByText(settings_hash).waitFor();
      await expect.poll(() => page.locator('table .episode-link').count(), wait).toBe(4);
      await page.getByText('4 episodes are in both.').waitFor();
      await page.getByLabel('Compared with').selectOption({ label: 'blocks (3)' });
      await page.getByText('0 episodes are in both.').waitFor();
      const there = page.getByRole('region', { name: 'Only in blocks' });
      await there.getByRole('link', { name: 'episode_000001' }).waitFor();
      expect(await there.getByRole('link').count()).toBe(3);
      await page.reload();
      await page.getByText('0 episodes are in both.').waitFor();
      expect(await page.getByText('Needs the role reviewer').count()).toBe(2);
    });

    it('locks one after saying what that means; an export for training is refused and offers what may be done', async () => {
      const page = await room.open('reviewer', `/slices/${cubes}`);
      await page.getByRole('button', { name: 'Lock for evaluation' }).click();
      await page.getByText('refused with 409').waitFor();
      await page.getByRole('button', { name: 'Lock it' }).click();
      await page.getByText('Is a locked evaluation set').waitFor();
      await page.getByText('Needs the role admin').waitFor();
      const engineer = await room.open('engineer', `/slices/${cubes}`);
      await engineer.getByRole('button', { name: 'Export', exact: true }).click();
      const refused = engineer.getByRole('alert');
      await refused.getByText('4 of the episodes are held out for evaluation').waitFor();
      await refused.getByRole('button', { name: 'Export for evaluation' }).click();
      await engineer.getByText('Under way with 4 episodes').waitFor();
      const { items } = await room.service.client.exports.list({ project_id: room.project_id });
      expect(items.map(({ purpose, episodes }) => [purpose, episodes.kept])).toEqual([['evaluation', 4]]);
    });

    it('deletes one after asking', async () => {
      const page = await room.open('reviewer', '/slices');
      await page.getByRole('link', { name: 'all of the cube' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete it' }).click();
      await page.getByRole('heading', { level: 1, name: 'Slices' }).waitFor();
      await expect.poll(() => page.getByRole('link', { name: 'all of the cube' }).count(), wait).toBe(0);
    });

    it('has no fault that axe finds serious, wide and narrow', async () => {
      await expectSound(room, 'admin', '/slices', (page) => page.getByRole('table').waitFor());
      await expectSound(room, 'admin', `/slices/${cubes}`, (page) =>
        page.locator('table .episode-link').first().waitFor(),
      );
    });
  },
);
