import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Body of a model call. */
export interface VisionCall {
  readonly model: string;
  readonly instructions: string;
  /** Texts of the question, in order. */
  readonly texts: readonly string[];
  /** Bytes of its pictures, in order. */
  readonly pictures: readonly Buffer[];
  /** Name of the schema that the answer is asked in, and what it demands. */
  readonly schema: {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  readonly authorization: string | undefined;
}

/** Answer to a model call. */
export interface VisionAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text that the model writes, sent in deltas of a few characters. */
  readonly text?: string;
  /** The body instead, as it is. */
  readonly body?: string;
  readonly usage?: object | null;
  /** `cut`: the connection is cut after the text; `never`: nothing more comes. */
  readonly ends?: 'well' | 'cut' | 'never';
}

/** A server of the tests' own that speaks OpenAI's protocol of chats with pictures, over real HTTP. */
export interface VisionServer {
  readonly url: string;
  readonly calls: VisionCall[];
  close(): Promise<void>;
}

/** `answer` says what a call gets; `nth` counts them from 0. */
export async function startVisionServer(
  answer: (call: VisionCall, nth: number) => VisionAnswer,
): Promise<VisionServer> {
  const calls: VisionCall[] = [];
  const server = createServer(async (request, response) => {
    const call = await callIn(request);
    calls.push(call);
    const {
      status = 200,
      headers,
      text = '',
      body,
      usage = used,
      ends = 'well',
    } = answer(call, calls.length - 1);
    const type = status === 200 && body === undefined ? 'text/event-stream' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers });
    response.flushHeaders();
    if (body !== undefined) response.write(body);
    else for (const delta of text.match(/[\s\S]{1,7}/g) ?? []) response.write(chunk({ content: delta }));
    if (ends === 'cut') response.socket?.destroySoon();
    if (ends !== 'well') return;
    if (body === undefined) {
      response.write(chunk({}, 'stop'));
      if (usage !== null) response.write(event({ choices: [], usage }));
      response.write('data: [DONE]\n\n');
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const used = { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 };

const event = (said: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...said })}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason }] });

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

async function callIn(request: IncomingMessage): Promise<VisionCall> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { model, messages, response_format } = JSON.parse(Buffer.concat(pieces).toString());
  const content: string | readonly Part[] = messages[1].content;
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return {
    model,
    instructions: messages[0].content,
    texts: parts.flatMap(({ text }) => text ?? []),
    pictures: parts.flatMap(({ image_url }) =>
      image_url === undefined
        ? []
        : [Buffer.from(image_url.url.replace(/^data:image\/jpeg;base64,/, ''), 'base64')],
    ),
    schema: response_format?.json_schema?.schema ?? {},
    authorization: request.headers.authorization,
  };
}
