import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '#core';
import { createMcpServer, type McpServerOptions } from '../mcp-server.ts';

/** Serves an offer over standard input and output until the client disconnects or `signal` aborts. */
export async function serveStdio<Who>(options: McpServerOptions<Who>, signal: AbortSignal): Promise<void> {
  const transport = standardTransport(signal);
  const server = createMcpServer(options);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(transport);
  await closed;
}

/** Address and token of a running service. */
export interface ServiceEndpoint {
  readonly address: string;
  readonly token: string;
}

/**
 * Passes MCP messages between standard input and output and a running service, which applies its roles and confirmations,
 * until the client disconnects or `signal` aborts.
 */
export function bridgeStdio({ address, token }: ServiceEndpoint, signal: AbortSignal): Promise<void> {
  return bridge({
    near: standardTransport(signal),
    openFar: () =>
      new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
  });
}

/**
 * Returns a stdio transport that closes when its input ends, which the SDK's transport does not notice, or when
 * `signal` aborts.
 */
function standardTransport(signal: AbortSignal): StdioServerTransport {
  const transport = new StdioServerTransport();
  const close = () => void transport.close();
  process.stdin.once('end', close).once('close', close);
  signal.addEventListener('abort', close, { once: true });
  return transport;
}

interface BridgeOptions {
  /** Transport to the client, not yet started. */
  readonly near: Transport;
  /** Creates a transport to the service, not yet started. */
  readonly openFar: () => Transport;
}

/**
 * Passes messages between a client and a service until the client disconnects; requests that cannot be passed are answered
 * with an error. A session that the service has ended is reopened with the client's own `initialize`, without the client
 * noticing. Resolves when the client disconnects.
 */
export async function bridge({ near, openFar }: BridgeOptions): Promise<void> {
  const link = new BridgeLink(near, openFar);
  await new Promise<void>((resolve, reject) => {
    near.onmessage = (message) => void link.pass(message);
    near.onclose = resolve;
    near.start().catch(reject);
  });
  await link.close();
}

const reopenId = 'assay-reopened';

class BridgeLink {
  readonly #near: Transport;
  readonly #openFar: () => Transport;
  #far: Transport | null = null;
  #opening: Promise<Transport> | null = null;
  #initialize: JSONRPCRequest | null = null;
  /** All connections; closed at the end, because messages may still be pending on an earlier one. */
  readonly #fars: Transport[] = [];

  constructor(near: Transport, openFar: () => Transport) {
    this.#near = near;
    this.#openFar = openFar;
  }

  /**
   * Passes a client's message to the service. If that fails, requests are answered with a protocol error, so that the
   * client does not wait.
   */
  async pass(message: JSONRPCMessage): Promise<void> {
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) this.#initialize = message;
    try {
      const far = (await this.#opening) ?? this.#far ?? (await this.#open());
      await far.send(message).catch(async (thrown: unknown) => {
        if (!isLostSession(thrown) || this.#initialize === message) throw thrown;
        await (await this.#reopen(far)).send(message);
      });
    } catch (thrown) {
      await this.#sendFault(message, thrown);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#fars.map((far) => far.close()));
  }

  async #open(): Promise<Transport> {
    const far = this.#openFar();
    this.#fars.push(far);
    far.onmessage = (message) => this.#receive(far, message);
    await far.start();
    this.#far ??= far;
    return far;
  }

  /** Reopens a lost session; concurrent callers share one attempt. */
  #reopen(lost: Transport): Promise<Transport> {
    if (this.#opening === null && this.#far !== null && this.#far !== lost) return Promise.resolve(this.#far);
    this.#opening ??= this.#initializeAgain().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #initializeAgain(): Promise<Transport> {
    const far = await this.#open();
    if (this.#initialize === null) return far;
    await far.send({ ...this.#initialize, id: reopenId });
    await far.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    this.#far = far;
    return far;
  }

  #receive(far: Transport, message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) && [this.#initialize?.id, reopenId].includes(message.id)) {
      const { protocolVersion } = message.result;
      far.setProtocolVersion?.(
        typeof protocolVersion === 'string' ? protocolVersion : LATEST_PROTOCOL_VERSION,
      );
      if (message.id === reopenId) return;
    }
    void this.#near.send(message);
  }

  async #sendFault(message: JSONRPCMessage, thrown: unknown): Promise<void> {
    if (!isJSONRPCRequest(message)) return;
    const error = {
      code: ErrorCode.InternalError,
      message: `cannot reach the service: ${messageOf(thrown)}`,
    };
    await this.#near.send({ jsonrpc: '2.0', id: message.id, error });
  }
}

const isLostSession = (thrown: unknown): boolean =>
  thrown instanceof StreamableHTTPError && thrown.code === 404;
