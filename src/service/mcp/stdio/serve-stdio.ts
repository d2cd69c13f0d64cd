import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpServerOptions } from '../protocol/mcp-server.ts';
import { bridge } from './bridge.ts';

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
