import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { sharedResource } from '../support/shared-resources.ts';
import { type Pages, pagesOf } from './test-project.ts';
import { joinWebService, type WebService } from './web-service.ts';

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
  `uploads in the web application${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let service: WebService;
    let pages: Pages;
    let project_id: string;
    const local = mkdtempSync(join(tmpdir(), 'assay-test-sent-'));
    beforeAll(async () => {
      service = await joinWebService();
      pages = pagesOf(service);
      const workspace = await service.client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
      const made = { workspace_id: workspace.id, name: 'sent', target_profile: 'behaviour-cloning' } as const;
      ({ id: project_id } = await service.client.projects.create(made));
    }, 600_000);
    afterAll(async () => {
      await pages?.close();
      rmSync(local, { recursive: true, force: true });
    });

    const opened = async () => {
      const page = await pages.open('engineer', `/projects/${project_id}/sources`);
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
      return page;
    };
    const upload = (page: Page, name: string) => page.getByRole('region', { name: `Upload of ${name}` });

    it('send a folder file by file, which can then be assessed', async () => {
      const { folder } = await sharedResource('demonstrations-4');
      const page = await opened();
      await page.getByLabel('Folder', { exact: true }).setInputFiles(join(folder, 'teleop'));
      await upload(page, 'teleop').getByText('Upload complete').waitFor({ timeout: 120_000 });
      const [source] = (await service.client.sources.list({ project_id })).items;
      expect(source).toMatchObject({ name: 'teleop', state: 'ready' });
      await page.getByRole('button', { name: 'Plan a run' }).click();
      await page.getByText(/^4 episodes, .* of compute time/).waitFor();
    });

    it('accept files that are dropped onto the page', async () => {
      const page = await opened();
      const transfer = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['dropped'], 'dropped.txt'));
        return transfer;
      })()`);
      await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: transfer });
      await upload(page, 'dropped.txt').getByText('Upload complete').waitFor();
    });

    it('resume after an interruption without sending again what arrived', async () => {
      const big = noise(12_000_000, 3);
      mkdirSync(join(local, 'cut'));
      writeFileSync(join(local, 'cut', 'big.bin'), big);
      writeFileSync(join(local, 'cut', 'small.bin'), noise(1000, 5));
      const page = await opened();
      // The connection fails after the first piece, and keeps failing.
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
      await here.getByText('uploading: 4.19 MB of 12 MB').waitFor({ timeout: 120_000 });
      await here.getByRole('button', { name: 'Stop' }).click();
      await here.getByText(/^Stopped: 1 of 2 files uploaded/).waitFor({ timeout: 120_000 });
      const before = pieces;
      isCut = false;
      await here.getByRole('button', { name: 'Resume' }).click();
      await here.getByText('Upload complete').waitFor({ timeout: 120_000 });
      // 12 MB are three pieces, of which one had arrived.
      expect(pieces - before).toBe(2);
    });

    it('resume on another page where the same files are chosen again', async () => {
      mkdirSync(join(local, 'later'));
      for (const name of ['a.bin', 'b.bin'])
        writeFileSync(join(local, 'later', name), noise(6_000_000, name.charCodeAt(0)));
      const first = await opened();
      await first.route('**/v1/uploads/**', async (route) => {
        const offset = Number((await route.request().allHeaders())['upload-offset'] ?? 0);
        return route.request().method() === 'PATCH' && offset > 0 ? route.abort() : route.continue();
      });
      await first.getByLabel('Folder', { exact: true }).setInputFiles(join(local, 'later'));
      await upload(first, 'later')
        .getByText('uploading: 4.19 MB of 6 MB')
        .first()
        .waitFor({ timeout: 120_000 });
      await first.close({ runBeforeUnload: false });
      const page = await opened();
      const row = page
        .getByRole('list', { name: 'Sources' })
        .getByRole('listitem')
        .filter({ hasText: 'later' });
      await row.getByText('Upload incomplete').waitFor();
      await row.getByLabel('Folder', { exact: true }).setInputFiles(join(local, 'later'));
      await upload(page, 'later').getByText('Upload complete').waitFor({ timeout: 120_000 });
      const sources = (await service.client.sources.list({ project_id })).items;
      expect(sources.filter(({ name }) => name === 'later')).toMatchObject([{ state: 'ready', files: 2 }]);
    });

    it('reject a file that differs from the one listed under its name', async () => {
      const source = await service.client.sources.create({
        project_id,
        kind: 'upload',
        name: 'promised',
        files: [{ path: 'note.txt', bytes: 5, sha256: 'a'.repeat(64) }],
      });
      const page = await opened();
      const row = page
        .getByRole('list', { name: 'Sources' })
        .getByRole('listitem')
        .filter({ hasText: 'promised' });
      const chosen = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('other') };
      await row.getByLabel('Files', { exact: true }).setInputFiles(chosen);
      await page.getByText('this file differs in size or SHA-256 from the one that was listed').waitFor();
      expect((await service.client.sources.get({ source_id: source.id })).state).toBe('open');
    });

    it('are accessible and fit wide and narrow windows when they fail', async () => {
      const page = await opened();
      await page.route('**/v1/uploads/**', (route) => route.abort());
      const name = `a-rather-long-name-${'x'.repeat(60)}.bin`;
      const chosen = { name, mimeType: 'application/octet-stream', buffer: noise(100_000, 9) };
      await page.getByLabel('Files', { exact: true }).last().setInputFiles(chosen);
      await upload(page, name).getByText('uploading').waitFor();
      await expectAccessible(page);
    });
  },
);
