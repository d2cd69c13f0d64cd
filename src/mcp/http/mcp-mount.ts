import type { Call } from '#services';
import type { McpEndpointOptions, McpRequest, McpResponse } from './endpoint.ts';
import { createMcpEndpoint } from './endpoint.ts';

/** The protocol at `/mcp` of a service, behind its tokens and rate limits. */
export function mcpMount(options: McpEndpointOptions) {
  const endpoint = createMcpEndpoint(options);
  return {
    id: 'mcp',
    prefix: '/mcp',
    methods: ['GET', 'POST', 'DELETE'],
    role: 'viewer',
    content_types: ['application/json'],
    handle: ({ call }: { readonly call: Call }, request: McpRequest, response: McpResponse) =>
      endpoint.handle(call, request, response),
    close: () => endpoint.close(),
  } as const;
}
