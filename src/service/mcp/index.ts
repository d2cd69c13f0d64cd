export { createMcpEndpoint } from './endpoint.ts';
export { mcpMount } from './mcp-mount.ts';
