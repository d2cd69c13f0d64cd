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
import { createMcpServer, type McpServerOptions } from '../protocol/mcp-server.ts';

/** Serves an offer over standard input and output until the client closes its end. */
export async function serveStdio<Who>(options: McpServerOptions<Who>, signal: AbortSignal): Promise<void> {
  const transport = standardTransport(signal);
  const server = createMcpServer(options);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(transport);
  await closed;
}

export interface ServicePlace {
  readonly address: string;
  readonly token: string;
}

/** Passes standard input and output to a running service, with its roles and confirmations. */
export function bridgeStdio({ address, token }: ServicePlace, signal: AbortSignal): Promise<void> {
  return bridge({
    near: standardTransport(signal),
    openFar: () =>
      new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
  });
}

/** The SDK's transport does not notice that its input has ended. */
function standardTransport(signal: AbortSignal): StdioServerTransport {
  const transport = new StdioServerTransport();
  const close = () => void transport.close();
  process.stdin.once('end', close).once('close', close);
  signal.addEventListener('abort', close, { once: true });
  return transport;
}

interface BridgeOptions {
  /** The client, not yet started. */
  readonly near: Transport;
  /** A new connection to the service, not yet started. */
  readonly openFar: () => Transport;
}

/**
 * Passes messages between a client and a service. A session that the service has ended is opened again by the client's own
 * `initialize`, unseen by the client. Resolves when the client goes.
 */
export async function bridge({ near, openFar }: BridgeOptions): Promise<void> {
  const link = new Link(near, openFar);
  await new Promise<void>((resolve, reject) => {
    near.onmessage = (message) => void link.pass(message);
    near.onclose = resolve;
    near.start().catch(reject);
  });
  await link.close();
}

const reopened = 'assay-reopened';

class Link {
  readonly #near: Transport;
  readonly #openFar: () => Transport;
  #far: Transport | null = null;
  #opening: Promise<Transport> | null = null;
  #initialize: JSONRPCRequest | null = null;
  /** Closed in the end: other messages may still be on their way over one, to be told that it is lost. */
  readonly #fars: Transport[] = [];

  constructor(near: Transport, openFar: () => Transport) {
    this.#near = near;
    this.#openFar = openFar;
  }

  /** What cannot be passed on is answered as an error of the protocol: nobody waits in vain. */
  async pass(message: JSONRPCMessage): Promise<void> {
    if (isInitializeRequest(message) && isJSONRPCRequest(message)) this.#initialize = message;
    try {
      const far = (await this.#opening) ?? this.#far ?? (await this.#open());
      await far.send(message).catch(async (thrown: unknown) => {
        if (!isLostSession(thrown) || this.#initialize === message) throw thrown;
        await (await this.#reopen(far)).send(message);
      });
    } catch (thrown) {
      await this.#tellFault(message, thrown);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#fars.map((far) => far.close()));
  }

  async #open(): Promise<Transport> {
    const far = this.#openFar();
    this.#fars.push(far);
    far.onmessage = (message) => this.#hear(far, message);
    await far.start();
    this.#far ??= far;
    return far;
  }

  /** Once, however many messages find the session lost. */
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
    await far.send({ ...this.#initialize, id: reopened });
    await far.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    this.#far = far;
    return far;
  }

  #hear(far: Transport, message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) && [this.#initialize?.id, reopened].includes(message.id)) {
      const { protocolVersion } = message.result;
      far.setProtocolVersion?.(
        typeof protocolVersion === 'string' ? protocolVersion : LATEST_PROTOCOL_VERSION,
      );
      if (message.id === reopened) return;
    }
    void this.#near.send(message);
  }

  async #tellFault(message: JSONRPCMessage, thrown: unknown): Promise<void> {
    if (!isJSONRPCRequest(message)) return;
    const error = {
      code: ErrorCode.InternalError,
      message: `the service cannot be asked: ${messageOf(thrown)}`,
    };
    await this.#near.send({ jsonrpc: '2.0', id: message.id, error });
  }
}

const isLostSession = (thrown: unknown): boolean =>
  thrown instanceof StreamableHTTPError && thrown.code === 404;
