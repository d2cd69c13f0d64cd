import type { Call } from '#service/operations';
import type { Store } from '#store';
import { serviceOffer } from '../service/service-offer.ts';
import { createMcpEndpoint, type McpEndpointOptions, type McpRequest, type McpResponse } from './endpoint.ts';

export interface McpMountOptions extends Omit<McpEndpointOptions, 'offer'> {
  readonly store: Store;
}

/** The protocol at `/mcp` of a service, behind its tokens and rate limits. */
export function mcpMount({ store, ...options }: McpMountOptions) {
  const endpoint = createMcpEndpoint({ ...options, offer: serviceOffer(store) });
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
