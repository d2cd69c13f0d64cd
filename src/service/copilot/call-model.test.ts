import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CopilotProvider } from '#store';
import {
  bytesOf,
  type ChatServer,
  cutAtByte,
  startChatServer,
  toolCalls,
  words,
} from '#test/support/chat-server';
import { collect } from '#test/support/collect';
import { callModel, type ModelPart } from './call-model.ts';
import { openModel } from './chat.ts';

let server: ChatServer;
beforeAll(async () => {
  server = await startChatServer();
});
afterAll(() => server.close());

const request = {
  ...{ instructions: 'be short', max_tokens: 100, messages: [{ role: 'user' as const, content: 'hello' }] },
  tools: [{ id: 'find', description: 'finds', input_schema: { type: 'object', properties: {} } }],
};

async function partsOf(id: CopilotProvider['id'] = 'compatible', silence_ms = 5000): Promise<ModelPart[]> {
  const provider = { id, base_url: server.url, api_key: 'key', models: ['m'], silence_ms } as const;
  const signal = new AbortController().signal;
  return collect(callModel(await openModel(provider, 'm'), request, { signal, silence_ms }));
}

const call = (input: unknown, malformed = false) => ({
  type: 'call',
  call: { call_id: 'call_0', tool: 'find', input, malformed },
});
const input = { text: 'ünï "cups"', limit: 3, list: [{ a: null }] };
const counted = { type: 'usage', usage: { prompt_tokens: 100, completion_tokens: 20, cost_usd: null } };

describe('a call of a model', { timeout: 60_000 }, () => {
  it('streams words and tells the provider’s count', async () => {
    server.script(words(['Hel', 'lo.']));
    expect(await partsOf()).toEqual([{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo.' }, counted]);
    expect(server.calls[0].messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(server.calls[0].tools?.map(({ function: { name } }) => name)).toEqual(['find']);
  });

  it('of the hosted router also tells what it cost', async () => {
    server.script(words(['Hi'], { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, cost: 0.0125 }));
    expect((await partsOf('openrouter')).at(-1)).toEqual({
      type: 'usage',
      usage: { prompt_tokens: 7, completion_tokens: 2, cost_usd: 0.0125 },
    });
  });

  it('puts a tool’s arguments together wherever their deltas are cut', async () => {
    for (let at = 0; at <= JSON.stringify(input).length; at++) {
      server.script(toolCalls([{ name: 'find', input }], at));
      expect(await partsOf(), `cut at ${at}`).toEqual([call(input), counted]);
    }
  });

  it('reads the stream wherever its bytes are cut', async () => {
    const answer = toolCalls([{ name: 'find', input }]);
    const { length } = bytesOf(answer);
    for (let at = 1; at < length; at++) {
      server.script(cutAtByte(answer, at));
      expect(await partsOf(), `cut at ${at}`).toEqual([call(input), counted]);
    }
  });

  it('gives arguments that are no JSON, and tools that there are not, as malformed', async () => {
    server.script(toolCalls([{ name: 'find', input: '{"text": ' }]));
    expect(await partsOf()).toEqual([expect.objectContaining(call(expect.anything(), true)), counted]);
    server.script(toolCalls([{ name: 'rm_rf', input: {} }]));
    const [wrong] = await partsOf();
    expect(wrong).toMatchObject({ type: 'call', call: { tool: 'rm_rf', malformed: true } });
  });

  it.each([
    ['refuses the key', { status: 401, pieces: ['{"error":{"message":"bad key sk-secret"}}'] }, '401'],
    ['has too many requests', { status: 429, pieces: ['{"error":{"message":"slow"}}'] }, '429'],
    ['is broken', { status: 500, pieces: ['oops sk-secret'] }, '500'],
    ['writes no JSON', { pieces: ['data: {{{\n\n', 'data: [DONE]\n\n'] }, 'invalid response'],
    [
      'cuts the connection',
      { pieces: words(['Hel']).pieces.slice(0, 1), ends: 'cut' as const },
      'chat provider',
    ],
    [
      'says nothing',
      { pieces: words(['Hel']).pieces.slice(0, 1), ends: 'never' as const },
      'sent no data for 300 ms',
    ],
  ])('of a provider that %s throws, and tells nothing that it wrote', async (_what, answer, says) => {
    server.script(answer);
    const failing = partsOf('compatible', 300);
    await expect(failing).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.stringContaining(says),
    });
    await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });
});
