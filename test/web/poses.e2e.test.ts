import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, watchPage } from '../report-browser.ts';
import { assessFolder } from '../support/shared-demonstrations.ts';
import { openSharedProject, type Pages, pagesOf, shoot } from './test-project.ts';
import { joinWebService, type WebService, wait } from './web-service.ts';

const shared = resolve(import.meta.dirname, '../../../shared/data');
const recorded = join(shared, 'hdf5/isaaclab-snake/annotated_dataset.hdf5');
const missing = existsSync(recorded) ? noBrowser : ' (skipped: no ../shared/data here)';

/** Isaac Lab records no rate and no names; its quaternions begin with w. */
const mapping = `assay_map: 1
episodes: { file: isaac.hdf5, group: "data/demo_{episode}" }
rate_hz: 20
streams:
  - { id: joint_pos, role: state, columns: ["obs/joint_pos"], unit: rad }
  - { id: eef_pos, role: state, columns: ["obs/eef_pos"], unit: m, names: [x, y, z] }
  - { id: eef_quat, role: state, columns: ["obs/eef_quat"], names: [qw, qx, qy, qz] }
  - { id: object_pose/cube_1, role: other, columns: ["obs/datagen_info/object_pose/cube_1"] }
  - { id: object_pose/cube_2, role: other, columns: ["obs/datagen_info/object_pose/cube_2"] }
  - { id: action, role: action, columns: ["actions"] }
`;

describe.skipIf(missing !== '' || chromiumPath === undefined)(
  `poses of a real recording in 3D${missing}`,
  { timeout: 300_000 },
  () => {
    let service: WebService;
    let pages: Pages;
    let path: string;
    beforeAll(async () => {
      service = await joinWebService();
      pages = pagesOf(service);
      const folder = join(service.recordings, 'isaac');
      mkdirSync(folder, { recursive: true });
      copyFileSync(recorded, join(folder, 'isaac.hdf5'));
      writeFileSync(join(folder, 'assay.map.yaml'), mapping);
      const { project_id } = await assessFolder(service.client, folder);
      const { items } = await service.client.episodes.list({ project_id, sort: 'name', limit: 1 });
      path = `/projects/${project_id}/episodes/${items[0].id}`;
    }, 300_000);
    afterAll(() => pages?.close());

    const clock = async (page: Page) => Number.parseFloat((await page.textContent('.player-time')) ?? '');
    const reading = (page: Page) => page.locator('.pose-list .reading').first();
    const view = (page: Page) => page.getByRole('application', { name: /^3D view/ });
    /** Name of the end effector in the scene, which moves with it. */
    const name = (page: Page) => page.locator('.pose-label', { hasText: 'End effector' });
    const placeOf = async (locator: Locator) => {
      const { x, y } = (await locator.boundingBox())!;
      return { x: Math.round(x), y: Math.round(y) };
    };
    async function open(): Promise<Page> {
      const page = await pages.open('viewer', path);
      await name(page).waitFor(wait);
      await expect.poll(() => view(page).scrollIntoViewIfNeeded(), wait).toBeUndefined();
      return page;
    }

    it('are listed by the API as they were recorded', async () => {
      const { poses } = await service.client.episodes.getPoses({ episode_id: path.split('/').at(-1)! });
      expect(poses.map(({ label, unit, stream_id }) => [label, unit, stream_id])).toEqual([
        ['End effector', 'm', 'eef_pos'],
        ['Cube 1', null, 'object_pose/cube_1'],
        ['Cube 2', null, 'object_pose/cube_2'],
      ]);
      for (const { rows, time_s, quaternions, starts } of poses) {
        expect(time_s).toHaveLength(rows);
        expect(quaternions?.every((turn) => turn !== null)).toBe(true);
        expect(starts).toEqual([]);
      }
    });

    it('show the path of the end effector and of objects, in step with the timeline', async () => {
      const page = await pages.open('viewer', path);
      const { complaints } = watchPage(page);
      await page
        .getByRole('img', { name: /^End effector: path of \d.* m, x .*Cube 1: path of/ })
        .waitFor(wait);
      await expect.poll(() => reading(page).textContent(), wait).toMatch(/^x .* y .* z .* m$/);
      await expect.poll(() => view(page).scrollIntoViewIfNeeded(), wait).toBeUndefined();
      await name(page).waitFor(wait);
      const [before, words] = [await placeOf(name(page)), await reading(page).textContent()];
      await page.locator('.player-position').fill('3');
      await expect.poll(() => reading(page).textContent(), wait).not.toBe(words);
      await expect.poll(async () => (await placeOf(name(page))).x !== before.x, wait).toBe(true);
      // Chromium itself remarks on drawing without a graphics card.
      expect(complaints.filter((text) => !text.includes('GL Driver Message'))).toEqual([]);
      await shoot(page, 'poses');
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot(page, 'poses-narrow');
    });

    it('seek to the point that is clicked', async () => {
      const page = await open();
      await page.locator('.player-position').fill('3');
      await expect.poll(() => clock(page), wait).toBeCloseTo(3);
      await page.getByRole('checkbox', { name: 'Cube 1' }).uncheck();
      await page.getByRole('checkbox', { name: 'Cube 2' }).uncheck();
      await page
        .locator('.pose-label', { hasText: 'Cube' })
        .first()
        .waitFor({ ...wait, state: 'hidden' });
      const at = await placeOf(name(page));
      await page.locator('.player-position').fill('0');
      await expect.poll(async () => (await placeOf(name(page))).x !== at.x, wait).toBe(true);
      // The name is 8 px right of its marker and 20 px above it.
      await page.mouse.click(at.x - 8, at.y + 20);
      await expect.poll(async () => Math.abs((await clock(page)) - 3), wait).toBeLessThan(0.5);
    });

    it('are turned by mouse and keys without moving the player, and reset', async () => {
      const page = await open();
      const start = await placeOf(name(page));
      const isMoved = async () => JSON.stringify(await placeOf(name(page))) !== JSON.stringify(start);
      await view(page).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowUp');
      await expect.poll(isMoved, wait).toBe(true);
      await page.keyboard.press('0');
      await expect.poll(isMoved, wait).toBe(false);
      const { x, y, width, height } = (await view(page).boundingBox())!;
      await page.mouse.move(x + width - 20, y + height - 20);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + height - 60, { steps: 4 });
      await page.mouse.up();
      await expect.poll(isMoved, wait).toBe(true);
      expect(await clock(page)).toBe(0);
      await page.getByRole('button', { name: 'Reset view' }).click();
      await expect.poll(isMoved, wait).toBe(false);
    });

    it('say in words where they are if the browser has no WebGL', async () => {
      const page = await pages.open('viewer');
      await page.addInitScript(`
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
          return /webgl/.test(kind) ? null : original.call(this, kind, ...more);
        };
      `);
      await page.goto(service.address + path);
      await page.getByText(/cannot draw in 3D: WebGL is not available/).waitFor(wait);
      await expect.poll(() => reading(page).textContent(), wait).toMatch(/^x .* y .* z .* m$/);
      expect(await view(page).count()).toBe(0);
      await expectAccessible(page);
    });

    it('are absent from an episode without them, whose page loads no 3D', async () => {
      const project = await openSharedProject();
      try {
        const { project_id, below } = project;
        const { items } = await project.service.client.episodes.list({ project_id, limit: 1 });
        const page = await project.open('viewer');
        const loaded: string[] = [];
        page.on('request', (request) => loaded.push(request.url()));
        const answered = page.waitForResponse(/\/poses/);
        await page.goto(`${project.service.address}${below}/episodes/${items[0].id}`);
        expect(await (await answered).json()).toEqual({ poses: [] });
        await page.locator('.player-timeline canvas').first().waitFor(wait);
        expect(await page.locator('.pose-view').count()).toBe(0);
        expect(loaded.filter((url) => /pose-scene/.test(url))).toEqual([]);
      } finally {
        await project.close();
      }
    });
  },
);
