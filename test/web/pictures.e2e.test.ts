import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, watchPage } from '../report-browser.ts';
import { assessSome, faultsOf, looks, pagesOf, startWebService, wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `episodes as pictures in the web application${reason}`,
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
    const address = (search: string) => `${service.address}/projects/${project_id}/episodes${search}`;
    const seen = 'document.querySelectorAll("img.picture").values().filter((img) => img.naturalWidth > 0)';

    it('show the middle of each, keep the filters in the address, and lead to the episode', async () => {
      const page = await pages.opened('viewer');
      page.setDefaultTimeout(wait.timeout);
      await page.goto(address(''));
      await page.getByRole('button', { name: 'Pictures' }).click();
      await expect.poll(() => page.evaluate(`[...${seen}].length`), wait).toBe(10);
      expect(page.url()).toContain('view=pictures');
      await page.getByLabel('Flag').selectOption('camera_black');
      await expect.poll(() => page.locator('.picture-card').count(), wait).toBe(1);
      expect(page.url()).toContain('flag=');
      await page.reload();
      await page.locator('.picture-card').getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'episode_000007' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Show all' }).click();
      await expect.poll(() => page.locator('.picture-card').count(), wait).toBe(10);
      expect(page.url()).toContain('view=pictures');
    });

    it('are asked for only where they are in sight', async () => {
      const page = await pages.opened('viewer', { width: 390 });
      const asked = new Set<string>();
      page.on('request', (request) => {
        const of = /episodes\/(ep_[^/]+)\/frames/.exec(request.url())?.[1];
        if (of !== undefined) asked.add(of);
      });
      await page.setViewportSize({ width: 390, height: 300 });
      await page.goto(address('?view=pictures'));
      await expect.poll(() => page.evaluate(`[...${seen}].length`), wait).toBeGreaterThan(1);
      const first = asked.size;
      expect(first).toBeLessThan(10);
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await expect.poll(() => asked.size, wait).toBe(10);
    });

    it('are kept as a slice by who may, and do not change with it', async () => {
      const page = await pages.opened('reviewer');
      page.setDefaultTimeout(wait.timeout);
      await page.goto(address('?view=pictures&decision=["accept"]'));
      const { accept } = (await service.client.episodes.summariseProject({ project_id })).decisions;
      await page.getByText('Keep these as a slice').click();
      await page.getByLabel('Name of the slice').fill('good ones');
      await page.getByRole('button', { name: 'Save as a slice' }).click();
      await page.getByText(`Saved as good ones: ${accept} of ${accept}`).waitFor();
      const [slice] = (await service.client.search.listSlices({ project_id })).items;
      expect(slice).toMatchObject({ name: 'good ones', episodes: accept });
      expect(slice.query).toMatchObject({ filter: { decision: ['accept'] } });
      const viewer = await pages.opened('viewer');
      await viewer.goto(address(''));
      await viewer.getByText('Keep these as a slice').click();
      await viewer.getByText('Needs the role reviewer').waitFor(wait);
      expect(await viewer.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true);
    });

    it.each(looks)('have no fault that axe finds serious and fit the window, %s', async (_, look) => {
      const page = await pages.opened('engineer', look);
      const complaints = watchPage(page);
      await page.goto(address('?view=pictures'));
      await expect.poll(() => page.evaluate(`[...${seen}].length`), wait).toBeGreaterThan(3);
      await page.getByText('Keep these as a slice').click();
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
      expect(complaints.complaints).toEqual([]);
    });
  },
);
