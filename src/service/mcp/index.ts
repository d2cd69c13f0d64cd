export { createMcpEndpoint } from './http/endpoint.ts';
export { mcpMount } from './http/mcp-mount.ts';
