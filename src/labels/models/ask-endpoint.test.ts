import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startVisionServer, type VisionAnswer, type VisionServer } from '#test/support/vision-server';
import { askEndpoint, type VisionQuestion, type VisionUsage } from './ask-endpoint.ts';

const jpeg = Uint8Array.of(0xff, 0xd8, 1, 2, 3, 0xff, 0xd9);
const question: VisionQuestion<{ text: string }> = {
  instructions: 'Say what is done.',
  content: [
    'at 0.0 s',
    { jpeg, width_px: 512, height_px: 384 },
    'at 1.0 s',
    { jpeg, width_px: 512, height_px: 384 },
  ],
  answer: z.object({ text: z.string().min(1) }),
  max_tokens: 100,
};
const good: VisionAnswer = { text: '{"text": "ein Arm hebt die Tässe “auf”"}' };
const told = { text: 'ein Arm hebt die Tässe “auf”' };

let servers: VisionServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

async function ask(
  answers: readonly VisionAnswer[] | VisionAnswer,
  { signal = new AbortController().signal, silence_ms = 5000, url = '' } = {},
) {
  const server = await startVisionServer(
    (_, nth) => [answers].flat()[Math.min(nth, [answers].flat().length - 1)],
  );
  servers.push(server);
  const usage: VisionUsage[] = [];
  const endpoint = {
    url: url === '' ? server.url : url,
    api_key: 'sk-secret',
    model: 'Qwen/Qwen3-VL',
    silence_ms,
  };
  const hooks = { signal, onAlive: () => {}, onUsage: (one: VisionUsage) => usage.push(one), pause_ms: 1 };
  const asked = await askEndpoint(endpoint, question, hooks).then(
    (answer) => ({ answer }),
    (thrown) => ({ thrown: thrown as { code: string; message: string } }),
  );
  return { ...asked, usage, calls: server.calls };
}

const counted = { prompt_tokens: 1000, completion_tokens: 50 };

describe('a vision endpoint', { timeout: 30_000 }, () => {
  it('is sent the words and pictures in order, and the schema; its deltas are put together', async () => {
    const { calls, usage, ...rest } = await ask(good);
    expect(rest).toEqual({ answer: told });
    expect(usage).toEqual([counted]);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      ...{ model: 'Qwen/Qwen3-VL', instructions: 'Say what is done.', texts: ['at 0.0 s', 'at 1.0 s'] },
      ...{ pictures: [Buffer.from(jpeg), Buffer.from(jpeg)], authorization: 'Bearer sk-secret' },
      schema: { required: ['text'] },
    });
  });

  it.each([
    ['in a fence', '```json\n{"text": "x"}\n```'],
    ['after thoughts', '<think>a {cup}?</think>\n{"text": "x"}'],
  ])('may put its answer %s', async (_, text) => {
    expect(await ask({ text })).toMatchObject({ answer: { text: 'x' } });
  });

  it.each([
    [
      'has too many requests',
      { status: 429, headers: { 'retry-after': '0' }, body: '{"error":{"message":"sk-secret"}}' },
    ],
    ['fails', { status: 500, body: 'oops' }],
    ['answers with markup', { body: '<html>login</html>' }],
    ['cuts the connection', { text: '{"text": "a', ends: 'cut' }],
  ] as const)('is asked again where it %s', async (_, first) => {
    const { calls, ...rest } = await ask([first, good]);
    expect(rest).toMatchObject({ answer: told });
    expect(calls).toHaveLength(2);
  });

  it('is told what was wrong with an answer of another form, and both calls are counted', async () => {
    const { calls, usage, ...rest } = await ask([{ text: '{"texts": 1}' }, { text: 'no JSON' }, good]);
    expect(rest).toMatchObject({ answer: told });
    expect(calls.map(({ texts }) => texts.length)).toEqual([2, 3, 3]);
    expect(calls[1].texts[2]).toMatch(/does not match the schema/);
    expect(usage).toEqual([counted, counted, counted]);
  });

  it.each([
    ['rate_limited', /rate limiting requests \(HTTP 429\), 4 times/, { status: 429, body: '{}' }],
    ['endpoint_unavailable', /returned HTTP 503, 4 times/, { status: 503, body: 'x' }],
    ['endpoint_failed', /invalid JSON, 4 times/, { text: 'cannot say' }],
    [
      'endpoint_failed',
      /rejected the API key \(HTTP 401\)$/,
      { status: 401, body: '{"error":{"message":"sk-secret"}}' },
    ],
    [
      'endpoint_failed',
      /rejected the request \(HTTP 400\)$/,
      { status: 400, body: '{"error":{"message":"no pictures"}}' },
    ],
  ] as const)('that stays so ends with %s, without what it wrote', async (code, message, answer) => {
    const { thrown } = (await ask(answer)) as { thrown: { code: string; message: string } };
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(thrown.message).not.toMatch(/secret/);
  });

  it('that asks for a long wait is left to a later try', async () => {
    const busy = { status: 429, headers: { 'retry-after': '3600' }, body: '{}' };
    const { calls, ...rest } = await ask(busy);
    expect(rest).toMatchObject({ thrown: { code: 'rate_limited' } });
    expect(calls).toHaveLength(1);
  });

  it('that says nothing is given up, and what it was shown is counted', async () => {
    const { usage, ...rest } = await ask({ text: '{"te', ends: 'never' }, { silence_ms: 50 });
    expect(rest).toMatchObject({
      thrown: { code: 'endpoint_unavailable', message: /sent no data for 0.05 s/ },
    });
    // Two pictures of 19 x 14 squares of 28 px, and the words.
    expect(usage[0].prompt_tokens).toBeGreaterThan(2 * 19 * 14);
    expect(usage).toHaveLength(4);
  });

  it('that counts nothing is counted here', async () => {
    const { usage } = await ask({ ...good, usage: null });
    expect(usage[0].prompt_tokens).toBeGreaterThan(2 * 19 * 14);
    expect(usage[0].completion_tokens).toBeGreaterThan(5);
  });

  it('that sends pictures on to another address is not followed', async () => {
    const other = await startVisionServer(() => good);
    servers.push(other);
    const moved = { status: 307, headers: { location: `${other.url}/chat/completions` }, body: '' };
    expect(await ask(moved)).toMatchObject({ thrown: { code: 'endpoint_unavailable' } });
    expect(other.calls).toEqual([]);
  });

  it('is not asked any more where nobody wants the answer', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const { calls, ...rest } = await ask({ ends: 'never' }, { signal: stop.signal });
    expect(rest).toMatchObject({ thrown: { code: 'cancelled' } });
    expect(calls).toHaveLength(1);
  });

  it('that is not there says so', async () => {
    expect(await ask(good, { url: 'http://127.0.0.1:9/v1' })).toMatchObject({
      thrown: { code: 'endpoint_unavailable', message: /127\.0\.0\.1:9\/v1 cannot be reached/ },
    });
  });
});
