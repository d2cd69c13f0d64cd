import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#samples';
import { chromiumPath } from '../report-browser.ts';
import { faultsOf, looks, pagesOf, startWebService, wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

/** Bytes that do not repeat. */
const noise = (length: number, seed: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0, state = seed; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
};

describe.skipIf(chromiumPath === undefined)(
  `uploads in the web application${reason}`,
  { timeout: 300_000 },
  () => {
    let service: Awaited<ReturnType<typeof startWebService>>;
    let project_id: string;
    const local = mkdtempSync(join(tmpdir(), 'assay-test-sent-'));
    const pages = pagesOf(() => service);
    beforeAll(async () => {
      service = await startWebService();
      const workspace = await service.client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
      const made = { workspace_id: workspace.id, name: 'sent', target_profile: 'behaviour-cloning' } as const;
      ({ id: project_id } = await service.client.projects.create(made));
    }, 600_000);
    afterAll(async () => {
      await pages.close();
      await service?.stop();
      rmSync(local, { recursive: true, force: true });
    });

    const opened = async (...how: Parameters<typeof pages.opened>) => {
      const page = await pages.opened(...how);
      page.setDefaultTimeout(wait.timeout);
      await page.goto(`${service.address}/projects/${project_id}/sources`);
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
      return page;
    };
    const upload = (page: Page, name: string) => page.getByRole('region', { name: `Upload of ${name}` });

    it('send a folder file by file, and what was sent can be run', async () => {
      const folder = join(local, 'teleop');
      await writeTeleopLeRobot(folder, 7, () => {}, { episodes: 3, plan: {} });
      const page = await opened('engineer');
      await page.getByLabel('Folder', { exact: true }).setInputFiles(folder);
      await upload(page, 'teleop').getByText('All is there').waitFor({ timeout: 120_000 });
      const [source] = (await service.client.sources.list({ project_id })).items;
      expect(source).toMatchObject({ name: 'teleop', state: 'ready' });
      await page.getByRole('button', { name: 'Plan a run' }).click();
      await page.getByText(/^3 episodes, .* of computing/).waitFor();
    });

    it('take files that are dropped onto the page', async () => {
      const page = await opened('engineer');
      const transfer = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['dropped'], 'dropped.txt'));
        return transfer;
      })()`);
      await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: transfer });
      await upload(page, 'dropped.txt').getByText('All is there').waitFor();
    });

    it('go on where they were cut, without sending again what came', async () => {
      const big = noise(12_000_000, 3);
      mkdirSync(join(local, 'cut'));
      writeFileSync(join(local, 'cut', 'big.bin'), big);
      writeFileSync(join(local, 'cut', 'small.bin'), noise(1000, 5));
      const page = await opened('engineer');
      // The line breaks after the first piece, and stays so.
      let pieces = 0;
      let isCut = true;
      await page.route('**/v1/uploads/**', async (route) => {
        const request = route.request();
        const isBig =
          request.method() === 'PATCH' && Number((await request.allHeaders())['upload-offset']) > 0;
        if (isCut && isBig) return route.abort('connectionreset');
        if (request.method() === 'PATCH') pieces++;
        return route.continue();
      });
      await page.getByLabel('Folder', { exact: true }).setInputFiles(join(local, 'cut'));
      const here = upload(page, 'cut');
      await here.getByText('is sent: 4.19 MB of 12 MB').waitFor({ timeout: 120_000 });
      await here.getByRole('button', { name: 'Stop' }).click();
      await here.getByText(/^Stopped; 1 of 2 files whole/).waitFor({ timeout: 120_000 });
      const before = pieces;
      isCut = false;
      await here.getByRole('button', { name: 'Go on' }).click();
      await here.getByText('All is there').waitFor({ timeout: 120_000 });
      // 12 MB are three pieces, of which one was there.
      expect(pieces - before).toBe(2);
    });

    it('go on in another page, where the same files are chosen again', async () => {
      mkdirSync(join(local, 'later'));
      for (const name of ['a.bin', 'b.bin'])
        writeFileSync(join(local, 'later', name), noise(6_000_000, name.charCodeAt(0)));
      const first = await opened('engineer');
      await first.route('**/v1/uploads/**', async (route) => {
        const offset = Number((await route.request().allHeaders())['upload-offset'] ?? 0);
        return route.request().method() === 'PATCH' && offset > 0 ? route.abort() : route.continue();
      });
      await first.getByLabel('Folder', { exact: true }).setInputFiles(join(local, 'later'));
      await upload(first, 'later')
        .getByText('is sent: 4.19 MB of 6 MB')
        .first()
        .waitFor({ timeout: 120_000 });
      await first.close({ runBeforeUnload: false });
      const page = await opened('engineer');
      const row = page
        .getByRole('list', { name: 'Sources' })
        .getByRole('listitem')
        .filter({ hasText: 'later' });
      await row.getByText('Not whole yet').waitFor();
      await row.getByLabel('Folder', { exact: true }).setInputFiles(join(local, 'later'));
      await upload(page, 'later').getByText('All is there').waitFor({ timeout: 120_000 });
      const sources = (await service.client.sources.list({ project_id })).items;
      expect(sources.filter(({ name }) => name === 'later')).toMatchObject([{ state: 'ready', files: 2 }]);
    });

    it('say of a file that another was promised under its name', async () => {
      const source = await service.client.sources.create({
        project_id,
        kind: 'upload',
        name: 'promised',
        files: [{ path: 'note.txt', bytes: 5, sha256: 'a'.repeat(64) }],
      });
      const page = await opened('engineer');
      const row = page
        .getByRole('list', { name: 'Sources' })
        .getByRole('listitem')
        .filter({ hasText: 'promised' });
      const chosen = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('other') };
      await row.getByLabel('Files', { exact: true }).setInputFiles(chosen);
      await page.getByText('this is not the file that was promised under this name').waitFor();
      expect((await service.client.sources.get({ source_id: source.id })).state).toBe('open');
    });

    it.each(looks)('have no fault that axe finds serious and fit the window, %s', async (_, look) => {
      const page = await opened('engineer', look);
      await page.route('**/v1/uploads/**', (route) => route.abort());
      const name = `a-rather-long-name-${'x'.repeat(60)}.bin`;
      const chosen = { name, mimeType: 'application/octet-stream', buffer: noise(100_000, 9) };
      await page.getByLabel('Files', { exact: true }).last().setInputFiles(chosen);
      await upload(page, name).getByText('is sent').waitFor();
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
    });
  },
);
