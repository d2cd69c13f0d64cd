import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, watchPage } from '../report-browser.ts';
import { assessFolder } from '../support/shared-demonstrations.ts';
import { openSharedProject, pagesOf, shoot, type TestProject } from './test-project.ts';
import { joinWebService, wait } from './web-service.ts';

interface Shown {
  readonly currentTime: number;
  readonly duration: number;
  readonly readyState: number;
  readonly paused: boolean;
}

describe.skipIf(chromiumPath === undefined)(
  `the player of the web application${noBrowser}`,
  { timeout: 120_000 },
  () => {
    let project: TestProject;
    let page: Page;
    let seen: ReturnType<typeof watchPage>;
    beforeAll(async () => {
      project = await openSharedProject();
      page = await project.open('viewer');
      seen = watchPage(page);
    }, 240_000);
    afterAll(() => project?.close());

    // As text: these tests know no types of a page.
    const videos = (of = page) =>
      of.evaluate<readonly Shown[]>(
        "[...document.querySelectorAll('.player video')].map(({ currentTime, duration, readyState, paused }) => ({ currentTime, duration, readyState, paused }))",
      );
    const clock = async (of = page) => Number.parseFloat((await of.textContent('.player-time')) ?? '');
    const isInStep = async (of = page) => {
      const [now, all] = [await clock(of), await videos(of)];
      return all.length > 0 && all.every(({ currentTime }) => Math.abs(currentTime - now) < 0.05);
    };
    const loaded = async (of = page) => {
      await of.locator('.player video').first().waitFor(wait);
      await expect
        .poll(async () => (await videos(of)).every(({ readyState }) => readyState >= 2), wait)
        .toBe(true);
    };
    /** Opens the episode of an index in the order of names. */
    async function show(index: number): Promise<string> {
      const { service, project_id, below } = project;
      const { items } = await service.client.episodes.list({ project_id, sort: 'name', limit: 50 });
      await page.goto(`${service.address}${below}/episodes/${items[index].id}`);
      await loaded();
      return items[index].id;
    }
    async function playsInStep(of = page): Promise<void> {
      await of.locator('.player').focus();
      await of.keyboard.press(' ');
      await expect.poll(() => clock(of), wait).toBeGreaterThan(0.5);
      await of.keyboard.press(' ');
      await expect.poll(() => isInStep(of), wait).toBe(true);
      expect((await videos(of)).every(({ paused }) => paused)).toBe(true);
      expect(await clock(of)).toBeGreaterThan(0.5);
    }

    it('plays the cameras of a LeRobot episode in step with the clock', async () => {
      await show(4);
      await playsInStep();
    });

    it('plays the cameras of an MCAP episode in step with the clock', async () => {
      const service = await joinWebService();
      const pages = pagesOf(service);
      try {
        await writeTeleopMcap(join(service.recordings, 'topics'), 7, () => {}, { episodes: 1, plan: {} });
        const { project_id } = await assessFolder(service.client, service.recordings);
        const [{ id, format }] = (await service.client.episodes.list({ project_id })).items;
        expect(format).toBe('mcap');
        const other = await pages.open('viewer', `/projects/${project_id}/episodes/${id}`);
        await loaded(other);
        await playsInStep(other);
      } finally {
        await pages.close();
      }
    }, 240_000);

    it('shows the segments that the run found, and seeks to where they are clicked', async () => {
      const episode_id = await show(4);
      const segments = page.getByRole('img', { name: /^segments: / });
      await segments.waitFor(wait);
      const { duration_s } = await project.service.client.episodes.get({ episode_id });
      const box = (await segments.boundingBox())!;
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await expect.poll(async () => Math.abs((await clock()) - duration_s / 2), wait).toBeLessThan(0.05);
    });

    it('draws a lane for each joint, with its values at the time of the player', async () => {
      const id = await show(4);
      const { signals } = await project.service.client.episodes.getPlayback({ episode_id: id });
      const [{ dimensions }] = signals;
      for (const { name } of dimensions)
        await page
          .getByRole('img', { name: new RegExp(`^${name}: `) })
          .first()
          .waitFor(wait);
      expect(await page.locator('.lane-series .reading').first().textContent()).toMatch(/^−?\d/);
    });

    it('goes to the time of a flag that is clicked, and shows the whole episode again', async () => {
      await show(1);
      const time = page.locator('.flag-list button').first();
      const text = (await time.textContent()) ?? '';
      await time.click();
      await expect
        .poll(async () => Math.abs((await clock()) - Number.parseFloat(text)), wait)
        .toBeLessThan(0.02);
      await page.locator('.timeline .mark.is-chosen').first().waitFor(wait);
      await page.locator('.player').focus();
      await page.keyboard.press('0');
      expect(await page.locator('.timeline .mark.is-chosen').count()).toBe(0);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys of the player' }).waitFor(wait);
      await page.keyboard.press('Escape');
    });

    it('plays only the frames of the episode from a file of many episodes', async () => {
      const id = await show(4);
      const { cameras } = await project.service.client.episodes.getPlayback({ episode_id: id });
      const [{ duration }] = await videos();
      const [{ frames, rate_hz }] = cameras;
      // What lies before the first frame, to decode it from, is not played.
      expect(Math.abs(duration - frames / (rate_hz ?? 1))).toBeLessThan(1.5 / (rate_hz ?? 1));
    });

    it('seeks by seconds, by frames and to the ends', async () => {
      await page.locator('.player').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      expect(await clock()).toBe(1);
      await expect.poll(() => isInStep(), wait).toBe(true);
      for (const [key, time_s] of [
        ['.', '1.03'],
        ['.', '1.07'],
        [',', '1.03'],
        ['ArrowLeft', '0.03'],
      ] as const) {
        await page.keyboard.press(key);
        expect((await clock()).toFixed(2)).toBe(time_s);
      }
      await expect.poll(() => isInStep(), wait).toBe(true);
      await page.keyboard.press('End');
      expect(await clock()).toBeGreaterThan(3);
      await page.getByRole('slider', { name: 'Time in seconds' }).fill('2');
      expect(await clock()).toBe(2);
      await expect.poll(() => isInStep(), wait).toBe(true);
    });

    it('jumps to a mark, plays it in a loop, and faster', async () => {
      await show(1);
      const player = page.locator('.player');
      await player.focus();
      await page.keyboard.press('n');
      const mark = await clock();
      await page.keyboard.press('l');
      await player.getByRole('button', { name: 'Loop', pressed: true }).waitFor();
      await page.keyboard.press('+');
      expect(await player.getByLabel('Speed').inputValue()).toBe('2');
      await page.keyboard.press(' ');
      let last = await clock();
      await expect
        .poll(async () => {
          const now = await clock();
          const isBack = now < last;
          last = now;
          return isBack;
        }, wait)
        .toBe(true);
      await page.keyboard.press(' ');
      expect(await clock()).toBeGreaterThanOrEqual(mark);
    });

    it('is accessible, fits wide and narrow windows, and logs no errors', async () => {
      const { address } = project.service;
      await show(1);
      await shoot(page, 'player');
      expect(seen.complaints).toEqual([]);
      expect(seen.requests.filter((url) => !url.startsWith(address))).toEqual([]);
      await expectAccessible(page);
    });
  },
);
