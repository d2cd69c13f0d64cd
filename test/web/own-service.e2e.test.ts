import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#client';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, watchPage } from '../report-browser.ts';
import { type ChatServer, startChatServer, toolCalls, words } from '../support/chat-server.ts';
import { assessFolder, writeDemonstrations } from '../support/shared-demonstrations.ts';
import { type Pages, pagesOf, shoot } from './test-project.ts';
import { type OwnWebService, startWebService, wait } from './web-service.ts';

/** Tests of the web application that configure or kill the service: one for all of them. */
describe.skipIf(chromiumPath === undefined)(
  `the web application of a service of its own${noBrowser}`,
  { timeout: 300_000 },
  () => {
    let model: ChatServer;
    let service: OwnWebService;
    let pages: Pages;
    let below: string;
    let project_id: string;
    beforeAll(async () => {
      model = await startChatServer();
      service = await startWebService({ ASSAY_COPILOT_URL: model.url, ASSAY_COPILOT_MODELS: 'm' });
      pages = pagesOf(service);
      await writeDemonstrations(service.recordings, 4);
      ({ project_id } = await assessFolder(service.client, service.recordings));
      below = `/projects/${project_id}`;
    }, 600_000);
    afterAll(async () => {
      await pages?.close();
      await service?.stop();
      await model?.close();
    });

    describe('the copilot', () => {
      const copilot = (role: Role) => pages.open(role, `${below}/copilot`);

      it('streams an answer, shows the tools, and spends only after confirmation', async () => {
        const page = await copilot('admin');
        const seen = watchPage(page);
        const raise = toolCalls([{ name: 'set_budget', input: { cap_usd: 42 } }]);
        model.script(raise, words(['Shall ', 'I?']));
        await page.getByLabel('Ask a question or describe a task').fill('Raise the cap to 42 dollars.');
        await page.keyboard.press('Enter');
        await page.getByText('Shall I?').waitFor();
        await page.getByText('needs your approval').waitFor();
        expect((await service.client.budget.get()).cap_usd).not.toBe(42);
        await expectAccessible(page);
        model.script(raise, words(['It ', 'is done.']));
        await page.getByRole('button', { name: 'Approve: set budget' }).click();
        await page.getByText('It is done.').waitFor();
        expect((await service.client.budget.get()).cap_usd).toBe(42);
        expect(seen.complaints).toEqual([]);
      });

      it('answers beside any screen of a project, and goes on when another one is opened', async () => {
        const [{ id, name }] = (await service.client.episodes.list({ project_id, limit: 1 })).items;
        const page = await pages.open('viewer', `${below}/episodes/${id}`);
        const seen = watchPage(page);
        await page.getByRole('button', { name: 'Ask copilot' }).click();
        const panel = page.getByRole('complementary', { name: 'Copilot' });
        const ask = panel.getByLabel('Ask a question or describe a task');
        expect(await panel.getByLabel('About this episode').isChecked()).toBe(true);
        await ask.fill('What is wrong with it?');
        model.script(words(['Nothing ', 'is wrong.']));
        await ask.press('Enter');
        await panel.getByText('Nothing is wrong.').waitFor();
        const [{ messages }] = model.calls;
        expect(String(messages[0].content)).toContain(`"on_screen":{"kind":"episode","id":"${id}"`);
        expect(messages.at(-1)?.content).toBe('What is wrong with it?');
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await shoot(page, 'copilot-panel');
        await expectAccessible(page);
        await page.getByRole('link', { name: 'Sources' }).click();
        await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
        await panel.getByText('Nothing is wrong.').waitFor();
        expect(await panel.getByLabel('About this episode').count()).toBe(0);
        await panel.getByRole('button', { name: 'Close the copilot' }).click();
        await panel.waitFor({ state: 'hidden' });
        await page.getByRole('link', { name: 'Copilot', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'Copilot' }).waitFor();
        expect(await page.getByRole('button', { name: 'Ask copilot' }).count()).toBe(0);
        await page.reload();
        await page.getByRole('heading', { level: 1, name: 'Copilot' }).waitFor();
        expect(await page.getByRole('button', { name: 'Ask copilot' }).count()).toBe(0);
        expect(seen.complaints).toEqual([]);
      });

      it('keeps the chat, its draft and its answer while the panel is closed, and stops with the chat', async () => {
        const page = await pages.open('viewer', `${below}/sources`);
        await page.getByRole('button', { name: 'Ask copilot' }).click();
        const panel = page.getByRole('complementary', { name: 'Copilot' });
        const ask = panel.getByLabel('Ask a question or describe a task');
        const [piece] = words(['I think']).pieces;
        const endless = { pieces: [piece], ends: 'never' } as const;
        /** Asks for an answer that never ends, and returns how many answers were cut off before. */
        const think = async () => {
          const { left } = model;
          model.script(endless);
          await ask.fill('Think.');
          await ask.press('Enter');
          await panel.getByRole('button', { name: 'Stop' }).waitFor();
          await panel.getByText('I think').last().waitFor();
          await expect.poll(() => model.calls.length, wait).toBe(1);
          return left;
        };
        const before = await think();
        await ask.fill('half of a thought');
        await ask.press('Escape');
        await panel.waitFor({ state: 'hidden' });
        const button = page.getByRole('button', { name: 'Ask copilot' });
        await expect
          .poll(() => button.evaluate((own) => own === own.ownerDocument.activeElement), wait)
          .toBe(true);
        await button.click();
        await panel.getByText('I think').waitFor();
        await panel.getByRole('button', { name: 'Stop' }).waitFor();
        expect(await ask.inputValue()).toBe('half of a thought');
        expect(model.left).toBe(before);
        await page.getByRole('link', { name: 'Copilot', exact: true }).click();
        await expect.poll(() => model.left, wait).toBe(before + 1);
        await page.getByRole('link', { name: 'Sources' }).click();
        await panel.getByText('Stopped.').waitFor();
        expect(await ask.inputValue()).toBe('half of a thought');
        const again = await think();
        await panel.getByRole('button', { name: 'New chat' }).click();
        await expect.poll(() => model.left, wait).toBe(again + 1);
        await panel.getByText('I think').first().waitFor({ state: 'detached' });
      });

      it('can be stopped, and shows when the provider of the model fails', async () => {
        const page = await copilot('viewer');
        const ask = page.getByLabel('Ask a question or describe a task');
        model.script({
          ...words(['I think ', 'and think']),
          pieces: words(['I think']).pieces.slice(0, 1),
          ends: 'never',
        });
        await ask.fill('Think.');
        await page.keyboard.press('Enter');
        await page.getByText('I think').waitFor();
        await page.getByRole('button', { name: 'Stop' }).click();
        await page.getByText('Stopped.').waitFor();
        await ask.fill('Again.');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
        await page.getByRole('button', { name: 'Send' }).waitFor();
      });

      it('keeps chats, which their author can list, continue and delete', async () => {
        const page = await copilot('viewer');
        await page.getByText('No chats about this project yet.').waitFor();
        model.script(words(['Three ', 'rejected.']));
        const ask = page.getByLabel('Ask a question or describe a task');
        await ask.fill('How many are rejected?');
        await page.keyboard.press('Enter');
        const talks = page.getByRole('navigation', { name: 'Chats' });
        const talk = talks.getByRole('link', { name: 'How many are rejected?' });
        await talk.waitFor();
        await page.getByRole('button', { name: 'New chat' }).click();
        await page.getByText('Three rejected.').waitFor({ state: 'detached' });
        await talk.click();
        const log = page.getByRole('log');
        await log.getByText('Three rejected.').waitFor();
        model.script(words(['Still ', 'three.']));
        await ask.fill('And now?');
        await page.keyboard.press('Enter');
        await log.getByText('Still three.').waitFor();
        await talks.getByText(/4 messages/).waitFor();
        await expectAccessible(page);
        const other = await pages.open('viewer', new URL(page.url()).pathname + new URL(page.url()).search);
        await other.getByRole('alert').waitFor();
        await other.getByText('No chats about this project yet.').waitFor();
        await talks.getByRole('button', { name: /^Delete/ }).click();
        await talks.getByRole('button', { name: 'Delete chat' }).click();
        await talks.getByText('No chats about this project yet.').waitFor();
        await page.getByText('Still three.').waitFor({ state: 'detached' });
      });
    });

    describe('a service that is killed under open pages', () => {
      let episode: { readonly id: string; readonly name: string };
      beforeAll(async () => {
        const { items } = await service.client.episodes.list({ project_id, decision: ['review'] });
        [episode] = items;
      });

      it('loses nothing that was typed, shows the outage, and accepts it after the restart', async () => {
        const [page, settings] = [
          await pages.open('admin', `${below}/episodes/${episode.id}`),
          await pages.open('admin', `${below}/settings`),
        ];
        await page.getByText('Not reviewed yet').waitFor();
        await page.getByLabel('Note').fill('half of a thought');
        const offset = settings.getByRole('form').filter({ hasText: 'Offset' }).first().getByLabel('Offset');
        await offset.fill('0.07');

        await service.kill();
        for (const each of [page, settings]) {
          // The next request finds out; the settings send none by themselves.
          if (each === settings) await each.getByRole('button', { name: 'Save' }).first().click();
          await each.getByText('The service is not responding. Your input is kept').waitFor();
        }
        await page.getByRole('button', { name: 'Reject' }).click();
        // Panels that had not loaded yet may have alerts of their own.
        await page.locator('.decide').getByRole('alert').waitFor();
        expect(await page.getByLabel('Note').inputValue()).toBe('half of a thought');
        expect(await offset.inputValue()).toBe('0.07');
        await expectAccessible(page);

        await service.startAgain();
        for (const each of [page, settings]) await each.getByText('The service is available again').waitFor();
        expect(await page.getByLabel('Note').inputValue()).toBe('half of a thought');
        expect(await offset.inputValue()).toBe('0.07');
        // The session is still valid, and what failed can be sent again.
        await page.getByRole('button', { name: 'Reject' }).click();
        await page.getByRole('cell', { name: 'half of a thought' }).waitFor();
        await expect.poll(() => page.getByRole('alert').count()).toBe(0);
        expect(await page.getByLabel('Note').inputValue()).toBe('');
        await page.getByRole('button', { name: 'Close' }).click();
        expect(await page.getByText('The service is available again').count()).toBe(0);
        const { items } = await service.client.episodes.listReviews({ episode_id: episode.id });
        expect(items.map(({ decision, note }) => [decision, note])).toEqual([
          ['reject', 'half of a thought'],
        ]);
      });
    });
  },
);
