import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDrives, writeTeleopMcap } from '#apps/samples';
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

    // Passed as text, because these tests are compiled without DOM types.
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

    it('draws the path of a drive, in step with the timeline', async () => {
      const service = await joinWebService();
      const pages = pagesOf(service);
      try {
        await writeDrives(join(service.recordings, 'drives'), 7, () => {});
        const { project_id } = await assessFolder(service.client, service.recordings);
        const [{ id }] = (await service.client.episodes.list({ project_id, sort: 'score', limit: 1 })).items;
        const drive = await pages.open('viewer', `/projects/${project_id}/episodes/${id}`);
        const map = drive.getByRole('img', { name: /^Path of \d+(\.\d+)? m from \/gps\/fix/ });
        // The map is replaced whenever the timeline gets more to show.
        await expect.poll(() => map.scrollIntoViewIfNeeded(), wait).toBeUndefined();
        const dot = drive.locator('.path-dot');
        await dot.waitFor(wait);
        const box = (await dot.boundingBox())!;
        await drive.locator('.player-position').fill('3');
        await expect.poll(async () => (await dot.boundingBox())!.x !== box.x, wait).toBe(true);
        const there = (await dot.boundingBox())!;
        await drive.locator('.player-position').fill('0');
        await drive.mouse.click(there.x + 6, there.y + 6);
        await expect.poll(async () => Math.abs((await clock(drive)) - 3), wait).toBeLessThan(0.5);
        await shoot(drive, 'path');
        const colours = drive.getByRole('group', { name: 'Colour of the path' });
        await colours.getByRole('button', { name: 'Flags' }).click();
        await expectAccessible(drive);
        await drive.emulateMedia({ colorScheme: 'dark' });
        await drive.setViewportSize({ width: 390, height: 844 });
        await shoot(drive, 'path-narrow');
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
      await expect.poll(() => page.locator('.timeline .mark.is-chosen').count(), wait).toBe(0);
    });

    it('ignores keys that are typed while the list of keys is open', async () => {
      await page.locator('.player').focus();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keys of the player' });
      await dialog.waitFor(wait);
      const [address, before] = [page.url(), await clock()];
      await page.keyboard.press('ArrowRight');
      // A click on a text takes the focus from the dialog.
      await dialog.getByText('Play or pause').click();
      for (const key of ['ArrowRight', 'n', ']']) await page.keyboard.press(key);
      expect(await clock()).toBe(before);
      expect(page.url()).toBe(address);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });

    it('plays only the frames of the episode from a file of many episodes', async () => {
      const id = await show(4);
      const { cameras } = await project.service.client.episodes.getPlayback({ episode_id: id });
      const [{ duration }] = await videos();
      const [{ frames, rate_hz }] = cameras;
      // Frames that are needed only to decode the first frame are not played.
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

    it('ends the loop when the user seeks outside of it', async () => {
      const player = page.locator('.player');
      const loop = player.getByRole('button', { name: 'Loop' });
      expect(await loop.getAttribute('aria-pressed')).toBe('true');
      await player.focus();
      await page.keyboard.press('Home');
      expect(await loop.getAttribute('aria-pressed')).toBe('false');
      await page.keyboard.press(' ');
      await expect.poll(() => clock(), wait).toBeGreaterThan(0.1);
      await page.keyboard.press(' ');
    });

    it('zooms around the playhead while it is visible, else around the middle of the view', async () => {
      await show(1);
      const marks = () =>
        page.evaluate<readonly number[]>(
          "[...document.querySelectorAll('.timeline .mark')].map(({ style }) => Number.parseFloat(style.left))",
        );
      const playhead = page.locator('.timeline .playhead');
      await page.locator('.player').focus();
      await page.keyboard.press('Home');
      const [whole] = await marks();
      await page.keyboard.press('i');
      await expect.poll(async () => (await marks())[0], wait).toBeCloseTo(2 * whole, 0);
      expect(await playhead.isVisible()).toBe(true);
      // Move to the end of the episode.
      const overview = (await page.locator('.timeline .overview').boundingBox())!;
      await page.mouse.click(overview.x + overview.width - 2, overview.y + overview.height / 2);
      await expect.poll(() => playhead.isVisible(), wait).toBe(false);
      const [before] = await marks();
      await page.keyboard.press('i');
      await expect.poll(async () => (await marks())[0], wait).toBeCloseTo(50 + 2 * (before - 50), 0);
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
