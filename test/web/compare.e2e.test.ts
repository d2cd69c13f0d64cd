import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, watchPage } from '../report-browser.ts';
import { expectSound, openRoom, type Room } from './rooms.ts';
import { wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `comparing in the web application${reason}`,
  { timeout: 400_000 },
  () => {
    let room: Room;
    let later: string;
    let slices: readonly string[];
    beforeAll(async () => {
      room = await openRoom();
      const { service, project_id, run_id } = room;
      const { client } = service;
      const save = (name: string, text: string) =>
        client.search.createSlice({ project_id, name, query: { filter: { text } } });
      const made = [await save('cubes', 'red cube'), await save('blocks', 'block')];
      slices = made.map(({ id }) => id);
      // Judged again without the check that saw the jumps.
      await client.readiness.setSettings({ project_id, checks: { kinematic_sanity: { enabled: false } } });
      await client.readiness.rescoreProject({ project_id });
      const [newest] = (await client.runs.list({ project_id })).items;
      later = newest.id;
      expect(later).not.toBe(run_id);
      for await (const { event, data } of client.runs.stream({ run_id: later }))
        if (event === 'run' && data.status === 'succeeded') break;
    }, 600_000);
    afterAll(() => room?.close());

    it('holds the newest run against the one before as that judged, differences first', async () => {
      const page = await room.open('viewer', '/compare');
      const seen = watchPage(page);
      const { service, project_id, run_id } = room;
      const told = await service.client.episodes.compare({
        ...{ project_id, one: { run_id }, other: { run_id: later } },
      });
      expect(told.one.flags).toContainEqual({ value: 'signal_jump', episodes: 2 });
      expect(told.other.flags.map(({ value }) => value)).not.toContain('signal_jump');
      await page.getByText(/^10 episodes are in both, 0 only on the left/).waitFor();
      const differs = page.getByRole('region', { name: 'What differs' }).last();
      const jump = differs.getByRole('row', { name: /^Flag: signal jump/ });
      expect(await jump.getByRole('cell').allTextContents()).toEqual(['Flag: signal jump', '2', '0', '−2']);
      expect(await differs.getByRole('row', { name: /^Episodes/ }).count()).toBe(0);
      const changes = page.getByRole('region', { name: 'Episodes judged otherwise' }).last();
      await expect.poll(() => changes.getByRole('row').count(), wait).toBe(told.changes.length + 1);
      await changes.getByRole('row', { name: /episode_000001.*signal jump/ }).waitFor();
      expect(seen.complaints).toEqual([]);
    });

    it('holds two slices against each other, from a slice’s page', async () => {
      const [cubes, blocks] = slices;
      const page = await room.open('viewer', `/slices/${cubes}?with=${blocks}`);
      await page.getByRole('link', { name: 'Side by side' }).click();
      await page.getByText('0 episodes are in both, 4 only on the left, 3 only on the right.').waitFor();
      await page.getByLabel('Right').selectOption(cubes);
      await page.getByText('4 episodes are in both').waitFor();
      await page.getByText('Every episode of both is decided and flagged alike.').waitFor();
    });

    it('has no fault that axe finds serious, wide and narrow', async () => {
      await expectSound(room, 'viewer', '/compare', (page) =>
        page.getByRole('heading', { name: 'Episodes judged otherwise' }).waitFor(),
      );
    });
  },
);
