import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, watchPage } from '../report-browser.ts';
import { expectSound, openRoom, type Room } from './rooms.ts';
import { wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `search in the web application${reason}`,
  { timeout: 400_000 },
  () => {
    let room: Room;
    beforeAll(async () => {
      room = await openRoom();
    }, 600_000);
    afterAll(() => room?.close());

    it('finds by filters, keeps them in the address, and shows the picture of each', async () => {
      const page = await room.open('viewer', '/search');
      const seen = watchPage(page);
      await page.getByText('10 episodes pass the filters').waitFor();
      await page.getByRole('textbox', { name: 'Words of the task' }).fill('red cube');
      await page.keyboard.press('Enter');
      await page.getByText('4 episodes pass the filters').waitFor();
      await page.getByRole('combobox', { name: 'Flag', exact: true }).selectOption('signal_jump');
      await page.getByText('0 episodes pass the filters').waitFor();
      await page.getByText('No episode is like this').waitFor();
      await page.reload();
      await page.getByText('0 episodes pass the filters').waitFor();
      await page.getByRole('button', { name: 'No filters' }).click();
      await page.getByText('10 episodes pass the filters').waitFor();
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('1 episode passes the filters').waitFor();
      const picture = page.locator('.found-item img');
      await expect
        .poll(
          () => picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
          wait,
        )
        .toBeGreaterThan(0);
      expect(seen.complaints).toEqual([]);
    });

    it('ranks by likeness from an episode’s page, by pictures and by a moment, as the service does', async () => {
      const { service, project_id } = room;
      const { items } = await service.client.episodes.list({ project_id, sort: 'name', limit: 1 });
      const [{ id: episode_id, name }] = items;
      const page = await room.open('viewer', `/episodes/${episode_id}`);
      await page.getByRole('link', { name: 'More like this' }).click();
      await page.getByText('Ranked by motion').waitFor();
      const shown = async () => page.locator('.found-item .episode-link').allTextContents();
      const asked = async (descriptor: string) => {
        const rank = { by: 'like', episode_id, descriptor } as const;
        const answer = await service.client.search.searchEpisodes({ project_id, rank });
        return answer.items.map(({ episode }) => episode.name);
      };
      expect(await shown()).toEqual(await asked('motion'));
      expect(await shown()).not.toContain(name);
      await page.getByLabel(/^More like/).selectOption('picture');
      await page.getByText('Ranked by picture').waitFor();
      expect(await shown()).toEqual(await asked('picture'));
      await page.getByLabel('From, in s', { exact: true }).fill('2');
      await page.getByLabel('To, in s', { exact: true }).fill('4');
      await page.getByRole('button', { name: 'Compare this moment' }).click();
      await page.getByText('Compared is the part from').waitFor();
      await page.getByRole('button', { name: 'Newest first' }).click();
      await page.getByText('10 episodes pass the filters').waitFor();
    });

    it('saves what was found, the best of a ranking, and says who may', async () => {
      const page = await room.open('reviewer', '/search?about=wipe');
      await page.getByText('ts_rank').waitFor();
      await page.getByLabel('Name of the slice').fill('wiping');
      await page.getByLabel('The best, at most').fill('2');
      await page.getByRole('button', { name: 'Save as a slice' }).click();
      await page.getByText(/Saved as wiping: 2 of \d+/).waitFor();
      await page.getByRole('link', { name: 'wiping' }).click();
      await page.getByRole('heading', { level: 1, name: 'wiping' }).waitFor();
      const { items } = await room.service.client.search.listSlices({ project_id: room.project_id });
      expect(items.map(({ name, episodes }) => [name, episodes])).toEqual([['wiping', 2]]);
      const viewer = await room.open('viewer', '/search');
      await viewer.getByText('Needs the role reviewer').waitFor();
    });

    it('has no fault that axe finds serious, wide and narrow', async () => {
      const { items } = await room.service.client.episodes.list({ project_id: room.project_id, limit: 1 });
      await expectSound(room, 'viewer', `/search?like=${items[0].id}`, (page) =>
        page.getByText('Ranked by motion').waitFor(),
      );
    });
  },
);
