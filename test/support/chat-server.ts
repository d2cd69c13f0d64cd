import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as flush } from 'node:timers/promises';

/** Scripted answer to one model call. */
export interface ScriptedAnswer {
  readonly status?: number;
  /** The body, in the pieces that are written apart. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly content_type?: string;
  /** End of the answer: normal, by cutting the connection, or never. */
  readonly ends?: 'well' | 'cut' | 'never';
}

/** Body of a model call. */
export interface ModelCallSent {
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: unknown;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly model: string;
}

/** An answer, or what makes one of what the call sent. */
type Scripted = ScriptedAnswer | ((call: ModelCallSent) => ScriptedAnswer);

/** A chat server that speaks OpenAI's protocol over real HTTP, and says what a test has written down. */
export interface ChatServer {
  readonly url: string;
  /** Calls that came, in order. */
  readonly calls: ModelCallSent[];
  /** Sets the next answers, one per call; further calls are answered with 500. */
  script(...answers: Scripted[]): void;
  /** Sets the answer to all further calls without a scripted answer. */
  always(answer: (call: ModelCallSent) => ScriptedAnswer): void;
  /** Calls whose connection the client has ended before the answer was whole. */
  readonly left: number;
  close(): Promise<void>;
}

export async function startChatServer(): Promise<ChatServer> {
  const calls: ModelCallSent[] = [];
  let answers: Scripted[] = [];
  let usual: Scripted = { status: 500, pieces: ['{"error":{"message":"nothing is scripted"}}'] };
  let left = 0;
  const server = createServer(async (request, response) => {
    const call: ModelCallSent = JSON.parse(await bodyOf(request));
    calls.push(call);
    const next = answers.shift() ?? usual;
    response.once('close', () => {
      if (!response.writableFinished) left += 1;
    });
    await say(response, typeof next === 'function' ? next(call) : next);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    script: (...next) => {
      answers = next;
      calls.length = 0;
    },
    always: (answer) => {
      usual = answer;
    },
    get left() {
      return left;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function say(response: ServerResponse, answer: ScriptedAnswer): Promise<void> {
  const { status = 200, pieces, content_type = 'text/event-stream', ends = 'well' } = answer;
  response.writeHead(status, { 'content-type': status === 200 ? content_type : 'application/json' });
  response.flushHeaders();
  for (const piece of pieces) {
    if (response.destroyed) return;
    response.write(piece);
    await flush();
  }
  if (ends === 'well') response.end();
  if (ends === 'cut') response.socket?.destroy();
}

interface Delta {
  readonly content?: string;
  readonly tool_calls?: readonly object[];
}

const chunk = (delta: Delta, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const usageChunk = (usage: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`;

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const end = 'data: [DONE]\n\n';

/** Words, token by token. */
export const words = (tokens: readonly string[], used: object | null = usage): ScriptedAnswer => ({
  pieces: [
    ...tokens.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    ...(used === null ? [] : [usageChunk(used)]),
    end,
  ],
});

export interface ScriptedCall {
  readonly name: string;
  /** Arguments, sent as JSON; a string is sent unchanged. */
  readonly input: unknown;
  readonly id?: string;
}

/** Calls of tools, their arguments in two deltas that are cut at a place. */
export const toolCalls = (calls: readonly ScriptedCall[], cutAt = 3, said = ''): ScriptedAnswer => ({
  pieces: [
    ...(said === '' ? [] : [chunk({ content: said })]),
    ...calls.flatMap(({ name, input, id }, index) => {
      const text = typeof input === 'string' ? input : JSON.stringify(input);
      return [
        chunk({
          tool_calls: [
            {
              index,
              id: id ?? `call_${index}`,
              type: 'function',
              function: { name, arguments: text.slice(0, cutAt) },
            },
          ],
        }),
        chunk({ tool_calls: [{ index, function: { arguments: text.slice(cutAt) } }] }),
      ];
    }),
    chunk({}, 'tool_calls'),
    usageChunk(usage),
    end,
  ],
});

/** The same answer, written in two pieces that are cut at a byte. */
export function cutAtByte({ pieces }: ScriptedAnswer, at: number): ScriptedAnswer {
  const whole = bytesOf({ pieces });
  return { pieces: [whole.subarray(0, at), whole.subarray(at)] };
}

export const bytesOf = ({ pieces }: ScriptedAnswer): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
