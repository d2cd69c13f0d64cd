import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { startDatasetHub, type TestHub } from '../support/dataset-hub.ts';
import { type Pages, pagesOf, shoot } from './test-project.ts';
import { type OwnWebService, startWebService, wait } from './web-service.ts';

const recordings = join(resolve(import.meta.dirname, '../../../shared/data'), 'lerobot-v20-gr00t-pick-place');
const missing = existsSync(recordings) ? noBrowser : ' (needs ../shared/data)';

describe.skipIf(chromiumPath === undefined || !existsSync(recordings))(
  `an address is pasted and its verdict is seen in the web application${missing}`,
  { timeout: 300_000 },
  () => {
    let hub: TestHub;
    let commit = '';
    let service: OwnWebService;
    let pages: Pages;
    let sources = '';
    beforeAll(async () => {
      hub = await startDatasetHub({ page: 20, busy_every: 20 });
      commit = hub.commit(recordings);
      service = await startWebService({
        HF_ENDPOINT: hub.endpoint,
        HF_TOKEN: 'hf_operator',
        ASSAY_SOURCE_WEB_NETWORKS: '127.0.0.1',
      });
      pages = pagesOf(service);
      const { client } = service;
      const workspace = await client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
      const created = { workspace_id: workspace.id, name: 'from the hub', target_profile: 'vla' } as const;
      const project = await client.projects.create(created);
      sources = `/projects/${project.id}/sources`;
    }, 600_000);
    afterAll(async () => {
      await pages?.close();
      await service?.stop();
      await hub?.close();
    });

    it('says at the field what is wrong, before and after it is sent', async () => {
      const page = await pages.open('engineer', sources);
      const field = page.getByLabel('Path or address');
      const problem = page.getByRole('alert');
      await field.fill('lab/set');
      await field.blur();
      expect(await problem.textContent()).toContain('hf://lab/set');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await shoot(page, 'sources-field-problem');
      await field.fill('hf://lab/other');
      await problem.waitFor({ ...wait, state: 'detached' });
      for (const [address, why] of [
        ['hf://lab/other', 'not found'],
        ['https://169.254.169.254/latest/meta-data/', 'does not have a public address'],
        ['http://127.0.0.2:1/set/', 'unencrypted http:// is not allowed for 127.0.0.2'],
      ]) {
        await field.fill(address);
        await page.getByRole('button', { name: 'Add source' }).click();
        await page
          .getByRole('alert')
          .filter({ hasText: new RegExp(why, 'i') })
          .waitFor(wait);
        expect(await field.inputValue()).toBe(address);
      }
      await expectAccessible(page);
      await shoot(page, 'sources-refused');
    });

    it('plans the commit, shows the download, and gives the verdict', async () => {
      const page = await pages.open('engineer', sources);
      await page.getByLabel('Path or address').fill('hf://lab/set');
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.getByText(/^Added source set \(\d+ files, /).waitFor(wait);
      await page.getByText('hf://datasets/lab/set', { exact: true }).waitFor(wait);
      await page.getByRole('button', { name: 'Plan a run' }).click();
      await page.getByText(/^\d+ episodes?, [\d.]+ .B; about/).waitFor(wait);
      await shoot(page, 'sources-planned');
      await page.getByRole('button', { name: 'Start run' }).click();
      await page.getByRole('heading', { level: 1, name: /^Run of / }).waitFor(wait);
      await page.getByText(/^succeeded · attempt 1$/).waitFor({ timeout: 240_000 });
      await page.getByText(commit.slice(0, 12)).waitFor(wait);
      await page.getByText('Downloaded').waitFor(wait);
      await page
        .getByText(/^(Usable|Not usable)/)
        .first()
        .waitFor(wait);
      // Findings of the dataset come with the verdict, without the page being loaded again.
      await page.getByText('in meta/info.json does not match').first().waitFor(wait);
      await expectAccessible(page);
      await shoot(page, 'run-of-address');
      expect(hub.asked.filter(({ authorization }) => authorization !== null)).toEqual([]);
    });
  },
);
