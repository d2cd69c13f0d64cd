import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent } from '#core/api';
import { chatOver } from '#test/support/chat-client';
import {
  type ChatServer,
  type ModelCallSent,
  startChatServer,
  toolCalls,
  words,
} from '#test/support/chat-server';
import { type ServiceProcess, startServiceProcess } from '#test/support/service-process';
import type { Bench } from '../bench.ts';
import { quantile, sorted } from '../service/quantile.ts';

const chats = 100;
const tokens = Array.from({ length: 60 }, (_, at) => `w${at} `);
/** Allowed ratio of the memory after the last wave to the memory half-way, when the heap size is stable. */
const growth = 1.15;
/** The first event within this, or within so many times what a small answer takes that is asked for just as often. */
const first_ms = 100;
const first_ratio = 3;

interface Wave {
  /** Of chats whose events were not all there, or not in their order: how each ended. */
  readonly wrong: readonly string[];
  readonly first_ms: readonly number[];
  readonly took_s: number;
  readonly rss_bytes: number;
}

/** Many talks at once, each with a round of tools and sixty words, on the embedded database. */
export const hundredChatsBench: Bench = {
  id: 'copilot-chats',
  title: `${chats} chats at once: events, memory, first event (embedded database, scripted model)`,
  run: async ({ quick, scratch, print }) => {
    const model = await startChatServer();
    model.always(answer);
    const data = mkdtempSync(join(scratch, 'chats-'));
    const env = {
      ASSAY_COPILOT_URL: model.url,
      ASSAY_COPILOT_MODELS: 'scripted',
      ASSAY_RATE_LIMIT: '1000000',
    };
    const service = await startServiceProcess({ data, env });
    try {
      const waves: Wave[] = [];
      for (let left = quick ? 4 : 24; left > 0; left--) waves.push(await wave(service, model));
      const plain = quantile(sorted(await plainAnswers(service)), 0.5);
      const wrong = waves.flatMap((one) => one.wrong);
      const warm = waves.slice(waves.length / 2);
      const median = quantile(sorted(warm.flatMap((one) => one.first_ms)), 0.5);
      const grown = warm[warm.length - 1].rss_bytes / warm[0].rss_bytes;
      print(
        `  ${waves.length * chats} chats, ${wrong.length} with events lost or out of order ${wrong.join(', ')}`,
      );
      print(
        `  first event: median ${median.toFixed(0)} ms of ${chats} begun at once (${first_ms} ms is wanted);`,
      );
      print(`    a small answer, ${chats} asked for at once: ${plain.toFixed(0)} ms`);
      print(
        `  memory: ${mib(warm[0])} MiB after wave ${waves.length / 2 + 1}, ${mib(warm[warm.length - 1])} MiB after wave ${waves.length}`,
      );
      const quickly = median < Math.max(first_ms, first_ratio * plain);
      const took_s = waves.map((one) => one.took_s);
      return {
        passed: wrong.length === 0 && quickly && grown < growth,
        figures: { wrong, median, plain, grown, took_s },
      };
    } finally {
      await service.stop();
      await model.close();
      rmSync(data, { recursive: true, force: true });
    }
  },
};

/** A tool first, then words that say where they belong. */
function answer({ messages }: ModelCallSent) {
  if (messages.at(-1)?.role === 'user') return toolCalls([{ name: 'get_budget', input: {} }]);
  return words(tokens);
}

async function wave({ address, token, child }: ServiceProcess, model: ChatServer): Promise<Wave> {
  const started = performance.now();
  const ended = await Promise.all(Array.from({ length: chats }, (_, at) => oneChat(address, token, at)));
  const took_s = (performance.now() - started) / 1000;
  model.calls.length = 0;
  return {
    wrong: ended.filter(({ events }) => !isWhole(events)).map(({ events }) => endOf(events)),
    first_ms: ended.map(({ first_ms }) => first_ms),
    took_s,
    rss_bytes: rssOf(child.pid ?? 0),
  };
}

async function oneChat(address: string, token: string, at: number) {
  const started = performance.now();
  let first_ms = Number.POSITIVE_INFINITY;
  const events: ChatEvent[] = [];
  for await (const event of chatOver(address, token, {
    messages: [{ role: 'user', content: `chat ${at}` }],
  })) {
    if (events.length === 0) first_ms = performance.now() - started;
    events.push(event);
  }
  return { first_ms, events };
}

const expected = [
  ...['start', 'usage', 'tool_call', 'tool_result'],
  ...tokens.map(() => 'token'),
  ...['usage', 'done'],
].join(' ');

/** The stop reason, and the code of what went wrong. */
const endOf = (events: readonly ChatEvent[]): string =>
  events
    .flatMap(({ event, data }) =>
      event === 'error' ? [data.code] : event === 'done' ? [data.stop_reason] : [],
    )
    .join(' ') || 'cut';

function isWhole(events: readonly ChatEvent[]): boolean {
  const said = events.map((event) => (event.event === 'token' ? event.data.text : '')).join('');
  return events.map(({ event }) => event).join(' ') === expected && said === tokens.join('');
}

/** Milliseconds of small answers, as many at once as there are chats. */
async function plainAnswers({ request }: ServiceProcess): Promise<number[]> {
  const one = async () => {
    const started = performance.now();
    await request('GET', '/v1/copilot/models');
    return performance.now() - started;
  };
  await one();
  return Promise.all(Array.from({ length: chats }, one));
}

function rssOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}

const mib = ({ rss_bytes }: Wave): string => (rss_bytes / 2 ** 20).toFixed(0);
