import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, watchPage } from '../report-browser.ts';
import { openSharedProject, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(
  `search and pictures in the web application${noBrowser}`,
  { timeout: 400_000 },
  () => {
    let project: TestProject;
    beforeAll(async () => {
      project = await openSharedProject();
    }, 600_000);
    afterAll(() => project?.close());

    it('filters episodes, keeps the filters in the address, and shows a picture of each', async () => {
      const page = await project.open('viewer', '/search');
      const seen = watchPage(page);
      await page.getByText('10 episodes match the filters').waitFor();
      await page.getByRole('textbox', { name: 'Task text' }).fill('red cube');
      await page.keyboard.press('Enter');
      await page.getByText('4 episodes match the filters').waitFor();
      await page.getByRole('combobox', { name: 'Flag', exact: true }).selectOption('signal_jump');
      await page.getByText('0 episodes match the filters').waitFor();
      await page.getByText('No episodes match').waitFor();
      await page.reload();
      await page.getByText('0 episodes match the filters').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText('10 episodes match the filters').waitFor();
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('1 episode matches the filters').waitFor();
      const picture = page.locator('.found-item img');
      await expect
        .poll(
          () => picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
          wait,
        )
        .toBeGreaterThan(0);
      expect(seen.complaints).toEqual([]);
    });

    it('ranks by similarity from an episode’s page, by motion, picture and moment, as the service does', async () => {
      const { service, project_id } = project;
      const { items } = await service.client.episodes.list({ project_id, sort: 'name', limit: 1 });
      const [{ id: episode_id, name }] = items;
      const page = await project.open('viewer', `/episodes/${episode_id}`);
      await page.getByRole('link', { name: 'More like this' }).click();
      await page.getByText('Ranked by motion').waitFor();
      const shown = async () => page.locator('.found-item .episode-link').allTextContents();
      const asked = async (descriptor: string) => {
        const rank = { by: 'like', episode_id, descriptor } as const;
        const answer = await service.client.search.episodes({ project_id, rank });
        return answer.items.map(({ episode }) => episode.name);
      };
      expect(await shown()).toEqual(await asked('motion'));
      expect(await shown()).not.toContain(name);
      await page.getByLabel(/^Similar to/).selectOption('picture');
      await page.getByText('Ranked by picture').waitFor();
      expect(await shown()).toEqual(await asked('picture'));
      await page.getByLabel('From (s)', { exact: true }).fill('2');
      await page.getByLabel('To (s)', { exact: true }).fill('4');
      await page.getByRole('button', { name: 'Use this segment' }).click();
      await page.getByText('Compares the segment from').waitFor();
      await page.getByRole('button', { name: 'Newest first' }).click();
      await page.getByText('10 episodes match the filters').waitFor();
    });

    it('saves the best of a ranking as a slice, and names the role that may', async () => {
      const page = await project.open('reviewer', '/search?about=wipe');
      await page.getByText('ts_rank').waitFor();
      await page.getByLabel('Slice name').fill('wiping');
      await page.getByLabel('Limit to top').fill('2');
      await page.getByRole('button', { name: 'Save as slice' }).click();
      await page.getByText(/Saved as wiping: 2 of \d+/).waitFor();
      await page.getByRole('link', { name: 'wiping' }).click();
      await page.getByRole('heading', { level: 1, name: 'wiping' }).waitFor();
      const { items } = await project.service.client.search.listSlices({ project_id: project.project_id });
      expect(items.find(({ name }) => name === 'wiping')).toMatchObject({ episodes: 2 });
      const viewer = await project.open('viewer', '/search');
      await viewer.getByText('Requires the reviewer role').waitFor();
    });

    // Passed as text, because these tests are compiled without DOM types.
    const loaded = 'document.querySelectorAll("img.picture").values().filter((img) => img.naturalWidth > 0)';

    it('shows the middle frame of each episode as a picture, keeps the filters in the address, and leads to the episode', async () => {
      const page = await project.open('viewer', '/episodes');
      const seen = watchPage(page);
      await page.getByRole('button', { name: 'Grid' }).click();
      await expect.poll(() => page.evaluate(`[...${loaded}].length`), wait).toBe(10);
      expect(page.url()).toContain('view=pictures');
      await page.getByLabel('Flag').selectOption('camera_black');
      await expect.poll(() => page.locator('.picture-card').count(), wait).toBe(1);
      expect(page.url()).toContain('flag=');
      await page.reload();
      await page.locator('.picture-card').getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'episode_000007' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(() => page.locator('.picture-card').count(), wait).toBe(10);
      expect(page.url()).toContain('view=pictures');
      await expect.poll(() => page.evaluate(`[...${loaded}].length`), wait).toBe(10);
      await page.getByText('Save these episodes as a slice').click();
      await expectAccessible(page);
      expect(seen.complaints).toEqual([]);
    });

    it('requests pictures only where they are in sight', async () => {
      const page = await project.open('viewer', '/../..', 390);
      const asked = new Set<string>();
      page.on('request', (request) => {
        const of = /episodes\/(ep_[^/]+)\/frames/.exec(request.url())?.[1];
        if (of !== undefined) asked.add(of);
      });
      await page.setViewportSize({ width: 390, height: 300 });
      await page.goto(`${project.service.address}${project.below}/episodes?view=pictures`);
      await expect.poll(() => page.evaluate(`[...${loaded}].length`), wait).toBeGreaterThan(1);
      const first = asked.size;
      expect(first).toBeLessThan(10);
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await expect.poll(() => asked.size, wait).toBe(10);
    });

    it('saves the filtered episodes as a slice, with the role for it', async () => {
      const page = await project.open('reviewer', '/episodes?view=pictures&decision=["accept"]');
      const { project_id } = project;
      const { client } = project.service;
      const { accept } = (await client.episodes.summariseProject({ project_id })).decisions;
      await page.getByText('Save these episodes as a slice').click();
      await page.getByLabel('Slice name').fill('good ones');
      await page.getByRole('button', { name: 'Save as slice' }).click();
      await page.getByText(`Saved as good ones: ${accept} of ${accept}`).waitFor();
      const { items } = await client.search.listSlices({ project_id });
      const slice = items.find(({ name }) => name === 'good ones');
      expect(slice).toMatchObject({ episodes: accept });
      expect(slice?.query).toMatchObject({ filter: { decision: ['accept'] } });
      const viewer = await project.open('viewer', '/episodes');
      await viewer.getByText('Save these episodes as a slice').click();
      await viewer.getByText('Requires the reviewer role').waitFor(wait);
      expect(await viewer.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true);
    });
  },
);
