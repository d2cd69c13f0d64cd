import { randomUUID } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AssayError, limits } from '#core';
import type { Call } from '#service/operations';
import { createMcpServer, type Extra } from './mcp-server.ts';
import type { Offer } from './offer.ts';

type Handle = StreamableHTTPServerTransport['handleRequest'];
/** Request of the MCP transport. */
export type McpRequest = Parameters<Handle>[0];
/** Response of the MCP transport. */
export type McpResponse = Parameters<Handle>[1];

/** HTTP endpoint of the Model Context Protocol. */
export interface McpEndpoint {
  /** Answers an MCP request as its caller. Throws `AssayError` only before it has begun to answer. */
  handle(call: Call, request: McpRequest, response: McpResponse): Promise<void>;
  /** Closes all sessions and their streams. */
  close(): Promise<void>;
}

/** Options of an MCP endpoint. */
export interface McpEndpointOptions {
  readonly offer: Offer<Call>;
  readonly version: string;
  /** Whether requests on the loopback interface may come from a proxy, and so from elsewhere. */
  readonly behind_proxy: boolean;
  readonly onFault: (thrown: unknown) => void;
}

/** Returns a Streamable HTTP endpoint of MCP with a session per client; only the token that opened a session may use it. */
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
      requireSameOrigin(request, behind_proxy);
      const id = request.headers['mcp-session-id'];
      const transport = typeof id === 'string' ? sessions.get(id, call.actor.token_id) : await open(call);
      if (transport === null)
        throw new AssayError('not_found', 'session not found', {
          advice:
            'initialize a new session; sessions end after 30 minutes without activity and when the service restarts',
        });
      request.auth = toAuthInfo(call);
      await transport.handleRequest(request, response);
      if (transport.sessionId === undefined) await transport.close();
    },
    close: () => sessions.close(),
  };
}

/** Returns the authentication info of a call, without the token itself. */
const toAuthInfo = (call: Call): AuthInfo => ({
  token: call.actor.token_id,
  clientId: call.actor.token_id,
  scopes: [call.actor.role],
  extra: { call },
});

function callOf({ authInfo }: Pick<Extra, 'authInfo'>): Call {
  const call = authInfo?.extra?.call;
  if (isCall(call)) return call;
  throw new AssayError('internal', 'MCP message without a caller');
}

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'actor' in value && 'request_id' in value && 'now' in value;

interface OriginRequest {
  readonly headers: { readonly origin?: string | undefined; readonly host?: string | undefined };
  /** Local address of the connection. */
  readonly socket: { readonly localAddress?: string | undefined };
}

/**
 * Throws `forbidden` for requests of pages of other sites; requests without `Origin` come from programs. On the
 * loopback interface the origin must be a loopback name (protection against DNS rebinding), unless the service runs
 * behind a trusted proxy.
 */
export function requireSameOrigin({ headers, socket }: OriginRequest, behind_proxy: boolean): void {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : null;
  const same = from !== null && from.host === host?.toLowerCase();
  const local = behind_proxy || !isLoopback(socket.localAddress) || isLoopback(from?.hostname);
  if (same && local) return;
  throw new AssayError('forbidden', 'requests from pages of other sites are not allowed', {
    advice: 'connect from a program or from a page of this service; behind a proxy, set ASSAY_TRUST_PROXY',
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
const maxSessionsPerToken = 20;

/**
 * Open sessions of this process. Opening one closes sessions that idle for half an hour, and the token's oldest if it
 * has too many.
 */
class Sessions {
  readonly #open = new Map<string, Session>();

  add(id: string, token_id: string, transport: StreamableHTTPServerTransport): void {
    const now_ms = Date.now();
    for (const [other, { used_ms }] of this.#open) if (now_ms - used_ms > idle_ms) this.#end(other);
    const own = [...this.#open].filter(([, session]) => session.token_id === token_id);
    const [oldest] = own.sort(([, a], [, b]) => a.used_ms - b.used_ms);
    if (own.length >= maxSessionsPerToken && oldest !== undefined) this.#end(oldest[0]);
    this.#open.set(id, { token_id, transport, used_ms: now_ms });
  }

  /** Returns the transport of a session; null if it does not exist or belongs to another token. */
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
