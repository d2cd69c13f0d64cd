export { mcpMount } from './http/mcp-mount.ts';
