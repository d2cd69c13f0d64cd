import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getBudget, setBudget } from '#service/operations';
import { runAssay } from './run-assay.ts';
import { toolCalls, words } from './support/chat-server.ts';
import { type ChatService, startChatService } from './support/chat-service.ts';

let service: ChatService;
let place: string[];
beforeAll(async () => {
  service = await startChatService();
  place = ['--url', service.address, '--token', await service.token('admin')];
}, 120_000);
afterAll(() => service.close());

const chat = (args: readonly string[], input = '') => runAssay(['chat', ...place, ...args], { input });
const raise = (cap_usd: number) => toolCalls([{ name: 'set_budget', input: { cap_usd } }]);
const cap = async () => (await getBudget(service.store, service.call)).cap_usd;

describe('assay chat', { timeout: 120_000 }, () => {
  it('prints the answer, and beside it what was done', async () => {
    service.model.script(
      toolCalls([{ name: 'list_projects', input: {} }], 1, 'I look. '),
      words(['One ', 'project.']),
    );
    const { code, out, err } = await chat(['--project', 'pick', 'How many', 'projects?']);
    expect([code, out]).toEqual([0, 'I look. One project.\n']);
    expect(err).toContain('→ list_projects {}');
    expect(err).toContain('← list_projects done');
    expect(service.model.calls[0].messages.at(-1)).toMatchObject({ content: 'How many projects?' });
  });

  it('asks for a yes to what spends, and does it', async () => {
    service.model.script(raise(40), words(['It waits.']), raise(40), words(['Done.']));
    const { code, err, out } = await chat(['Cap it at 40'], 'what?\ny\n');
    expect(code).toBe(0);
    expect(err.match(/Proceed\? \[y\/n\]/g)).toHaveLength(2);
    expect(err).toContain('40.00 USD');
    expect(out).toContain('Done.');
    expect(await cap()).toBe(40);
  });

  it.each(['n\n', ''])('does nothing where the person says %j', async (said) => {
    await setBudget(service.store, service.call, { cap_usd: null });
    service.model.script(raise(41), words(['It waits.']));
    const { code } = await chat(['Cap it at 41'], said);
    expect([code, await cap(), service.model.calls.length]).toEqual([0, null, 2]);
  });

  it('talks line by line, and the model hears what was said before', async () => {
    service.model.script(words(['First.']), words(['Second.']));
    const { out } = await chat([], 'One?\n\nTwo?\n');
    expect(out).toBe('First.\nSecond.\n');
    expect(service.model.calls[1].messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'One?'],
      ['assistant', 'First.'],
      ['user', 'Two?'],
    ]);
  });

  it('prints every event as JSON, and confirms nothing', async () => {
    service.model.script(raise(42), words(['It waits.']));
    const { out } = await chat(['--json', 'Cap it at 42'], 'y\n');
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(events).toEqual([
      ...['start', 'usage', 'tool_call', 'confirmation', 'tool_result', 'token', 'usage', 'done'],
    ]);
    expect(await cap()).toBeNull();
  });

  it('ends as what went wrong: a provider that fails, a name that nothing has', async () => {
    service.model.script({ status: 500, pieces: ['oops'] });
    const failed = await chat(['Well?']);
    expect(failed.code).not.toBe(0);
    expect(failed.err).toContain('provider_failed');
    expect((await chat(['--project', 'nowhere', 'Well?'])).code).toBe(3);
  });

  it('lets no control character of the model through', async () => {
    service.model.script(words(['\u001b[2Jgone']));
    expect((await chat(['Well?'])).out).toBe('\\u001b[2Jgone\n');
  });
});
