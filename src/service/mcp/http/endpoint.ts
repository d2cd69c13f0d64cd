import { randomUUID } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AssayError, limits } from '#core';
import type { Call } from '#service/operations';
import type { Extra } from '../protocol/mcp-server.ts';
import { createMcpServer } from '../protocol/mcp-server.ts';
import type { Offer } from '../protocol/offer.ts';

type Handle = StreamableHTTPServerTransport['handleRequest'];
export type McpRequest = Parameters<Handle>[0];
export type McpResponse = Parameters<Handle>[1];

export interface McpEndpoint {
  /** Answers one HTTP request of the protocol for whoever sent it. Throws `AssayError` before it has begun to. */
  handle(call: Call, request: McpRequest, response: McpResponse): Promise<void>;
  /** Ends every session and its streams. */
  close(): Promise<void>;
}

export interface McpEndpointOptions {
  readonly offer: Offer<Call>;
  readonly version: string;
  /** Whether what arrives on this machine alone may come from elsewhere. */
  readonly behind_proxy: boolean;
  readonly onFault: (thrown: unknown) => void;
}

/** Streamable HTTP: a session for each client, which its token alone may use. */
export function createMcpEndpoint({
  offer,
  version,
  behind_proxy,
  onFault,
}: McpEndpointOptions): McpEndpoint {
  const sessions = new Sessions();
  const open = async (call: Call): Promise<StreamableHTTPServerTransport> => {
    const server: Server = createMcpServer({ version, offer, whoOf: callOf, onFault });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: limits.requests.body_bytes.value,
      onsessioninitialized: (id) => sessions.add(id, call.actor.token_id, transport),
      onsessionclosed: (id) => sessions.remove(id),
    });
    await server.connect(transport);
    return transport;
  };
  return {
    handle: async (call, request, response) => {
      demandSameOrigin(request, behind_proxy);
      const id = request.headers['mcp-session-id'];
      const transport = typeof id === 'string' ? sessions.get(id, call.actor.token_id) : await open(call);
      if (transport === null)
        throw new AssayError('not_found', 'there is no such session', {
          advice: 'initialize again: sessions end when they idle for half an hour, or the service restarts',
        });
      request.auth = authOf(call);
      await transport.handleRequest(request, response);
      if (transport.sessionId === undefined) await transport.close();
    },
    close: () => sessions.close(),
  };
}

/** The token itself stays where it was checked. */
const authOf = (call: Call): AuthInfo => ({
  token: call.actor.token_id,
  clientId: call.actor.token_id,
  scopes: [call.actor.role],
  extra: { call },
});

function callOf({ authInfo }: Pick<Extra, 'authInfo'>): Call {
  const call = authInfo?.extra?.call;
  if (isCall(call)) return call;
  throw new AssayError('internal', 'a message came without its caller');
}

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'actor' in value && 'request_id' in value && 'now' in value;

interface Asked {
  readonly headers: { readonly origin?: string | undefined; readonly host?: string | undefined };
  /** Where the connection arrived. */
  readonly socket: { readonly localAddress?: string | undefined };
}

/**
 * Refuses what a page of another site sends; programs send no origin. A page whose name was made to lead to this machine
 * (DNS rebinding) is told by that name, unless a proxy is trusted, behind which the service may have any.
 */
export function demandSameOrigin({ headers, socket }: Asked, behind_proxy: boolean): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : null;
  const same = from !== null && from.host === host?.toLowerCase();
  const local = behind_proxy || !isLoopback(socket.localAddress) || isLoopback(from?.hostname);
  if (same && local) return;
  throw new AssayError('forbidden', 'pages of other sites may not speak to this address', {
    advice:
      'connect from a program, or from a page that this service serves; behind a proxy set ASSAY_TRUST_PROXY',
  });
}

const isLoopback = (name: string | undefined): boolean =>
  name === 'localhost' || name === '[::1]' || name === '::1' || /^(::ffff:)?127\./.test(name ?? '');

interface Session {
  readonly token_id: string;
  readonly transport: StreamableHTTPServerTransport;
  used_ms: number;
}

const idle_ms = 1_800_000;
const mostOfToken = 20;

/** Open sessions of this process. Those that idle are ended when another begins, and so is a token's oldest of too many. */
class Sessions {
  readonly #open = new Map<string, Session>();

  add(id: string, token_id: string, transport: StreamableHTTPServerTransport): void {
    const now_ms = Date.now();
    for (const [other, { used_ms }] of this.#open) if (now_ms - used_ms > idle_ms) this.#end(other);
    const own = [...this.#open].filter(([, session]) => session.token_id === token_id);
    const [oldest] = own.sort(([, a], [, b]) => a.used_ms - b.used_ms);
    if (own.length >= mostOfToken && oldest !== undefined) this.#end(oldest[0]);
    this.#open.set(id, { token_id, transport, used_ms: now_ms });
  }

  /** Null where there is none, and where it is another token's: which of both is not told. */
  get(id: string, token_id: string): StreamableHTTPServerTransport | null {
    const found = this.#open.get(id);
    if (found === undefined || found.token_id !== token_id) return null;
    found.used_ms = Date.now();
    return found.transport;
  }

  remove(id: string): void {
    this.#open.delete(id);
  }

  async close(): Promise<void> {
    const transports = [...this.#open.values()].map(({ transport }) => transport);
    this.#open.clear();
    await Promise.all(transports.map((transport) => transport.close()));
  }

  #end(id: string): void {
    const transport = this.#open.get(id)?.transport;
    this.#open.delete(id);
    void transport?.close();
  }
}
