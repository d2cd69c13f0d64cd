import { randomUUID } from 'node:crypto';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AssayError, limits } from '#core';
import type { Call } from '#service/operations';
import type { Extra } from '../protocol/extra.ts';
import { createMcpServer } from '../protocol/mcp-server.ts';
import type { Offer } from '../protocol/offer.ts';
import { demandSameOrigin } from './same-origin.ts';
import { Sessions } from './sessions.ts';

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
