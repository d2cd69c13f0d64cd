import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { NotificationEvent } from '#core/api';

/** A request as it arrived. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly event: NotificationEvent;
}

type Answer = (response: ServerResponse, request: ReceivedWebhook) => void;

/** An HTTP server that webhooks are sent to. */
export interface WebhookReceiver {
  /** Without a path; each test uses its own. */
  readonly address: string;
  /** Sets the answer to requests of a path from now on; before, it is 204. */
  answer(path: string, how: Answer): void;
  /** Requests of a path so far, in the order of their arrival. */
  received(path: string): readonly ReceivedWebhook[];
  /** Waits until a path has had this many requests. */
  wait(path: string, count: number): Promise<readonly ReceivedWebhook[]>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const answers = new Map<string, Answer>();
  const all: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const path = request.url ?? '';
    const one = { path, headers: request.headers, body, event: JSON.parse(body) };
    all.push(one);
    const how = answers.get(path);
    if (how === undefined) response.writeHead(204).end();
    else how(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const received = (path: string) => all.filter((one) => one.path === path);
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (path, how) => void answers.set(path, how),
    received,
    wait: async (path, count) => {
      while (received(path).length < count) await wait(20);
      return received(path);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Checks a signature as the Standard Webhooks specification tells receivers to. */
export function isSignedWith(secret: string, { headers, body }: ReceivedWebhook): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return String(signatures)
    .split(' ')
    .map((one) => Buffer.from(one.split(',')[1], 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
