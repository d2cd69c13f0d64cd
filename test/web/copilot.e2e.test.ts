import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser, watchPage } from '../report-browser.ts';
import { type ChatServer, startChatServer, toolCalls, words } from '../support/chat-server.ts';
import { faultsOf, startWebService } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';

describe.skipIf(chromiumPath === undefined)(
  `the copilot in the web application${reason}`,
  { timeout: 180_000 },
  () => {
    let model: ChatServer;
    let service: Awaited<ReturnType<typeof startWebService>>;
    let context: BrowserContext;
    let address: string;
    beforeAll(async () => {
      model = await startChatServer();
      service = await startWebService({ ASSAY_COPILOT_URL: model.url, ASSAY_COPILOT_MODELS: 'm' });
      const workspace = await service.client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
      const made = { workspace_id: workspace.id, name: 'arms', target_profile: 'behaviour-cloning' } as const;
      const { id } = await service.client.projects.create(made);
      address = `${service.address}/projects/${id}/copilot`;
      context = await openBrowser();
    }, 300_000);
    afterAll(async () => {
      await context?.close();
      await service?.stop();
      await model?.close();
    });

    it('streams an answer, shows the tools, and does what spends only after a yes', async () => {
      const page = await service.signedIn(context, 'admin');
      const seen = watchPage(page);
      await page.goto(address);
      const raise = toolCalls([{ name: 'set_budget', input: { cap_usd: 42 } }]);
      model.script(raise, words(['Shall ', 'I?']));
      await page.getByLabel('Ask, or say what to do').fill('Raise the cap to 42 dollars.');
      await page.keyboard.press('Enter');
      await page.getByText('Shall I?').waitFor();
      await page.getByText('waits for your yes').waitFor();
      expect((await service.client.budget.get()).cap_usd).not.toBe(42);
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
      model.script(raise, words(['It ', 'is done.']));
      await page.getByRole('button', { name: 'Yes, set budget' }).click();
      await page.getByText('It is done.').waitFor();
      expect((await service.client.budget.get()).cap_usd).toBe(42);
      expect(seen.complaints).toEqual([]);
    });

    it('can be stopped, and says when the model’s provider fails', async () => {
      const page = await service.signedIn(context, 'viewer');
      await page.goto(address);
      const ask = page.getByLabel('Ask, or say what to do');
      model.script({
        ...words(['I think ', 'and think']),
        pieces: words(['I think']).pieces.slice(0, 1),
        ends: 'never',
      });
      await ask.fill('Think.');
      await page.keyboard.press('Enter');
      await page.getByText('I think').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('It was stopped.').waitFor();
      await ask.fill('Again.');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Send' }).waitFor();
    });

    it('keeps talks: one’s own are listed, opened to go on with, and deleted', async () => {
      const page = await service.signedIn(context, 'viewer');
      const others = await openBrowser();
      const other = await service.signedIn(others, 'viewer');
      await page.goto(address);
      await page.getByText('There is none about this project yet.').waitFor();
      model.script(words(['Three ', 'rejected.']));
      const ask = page.getByLabel('Ask, or say what to do');
      await ask.fill('How many are rejected?');
      await page.keyboard.press('Enter');
      const talks = page.getByRole('navigation', { name: 'Earlier talks' });
      const talk = talks.getByRole('link', { name: 'How many are rejected?' });
      await talk.waitFor();
      await page.getByRole('button', { name: 'New talk' }).click();
      await page.getByText('Three rejected.').waitFor({ state: 'detached' });
      await talk.click();
      const log = page.getByRole('log');
      await log.getByText('Three rejected.').waitFor();
      model.script(words(['Still ', 'three.']));
      await ask.fill('And now?');
      await page.keyboard.press('Enter');
      await log.getByText('Still three.').waitFor();
      await talks.getByText(/4 messages/).waitFor();
      expect(await faultsOf(page)).toEqual({ axe: [], overflow_px: 0 });
      await other.goto(page.url());
      await other.getByRole('alert').waitFor();
      await other.getByText('There is none about this project yet.').waitFor();
      await others.close();
      await talks.getByRole('button', { name: /^Delete/ }).click();
      await talks.getByRole('button', { name: 'Delete it' }).click();
      await talks.getByText('There is none about this project yet.').waitFor();
      await page.getByText('Still three.').waitFor({ state: 'detached' });
    });
  },
);
