import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractService, joinContractService } from '#test/support/contract-service';
import { bridge } from './serve-stdio.ts';

let service: ContractService;
beforeAll(async () => {
  service = await joinContractService();
});
afterAll(() => service.close());

async function bridged() {
  const fars: StreamableHTTPClientTransport[] = [];
  const [near, here] = InMemoryTransport.createLinkedPair();
  const ended = bridge({
    near,
    openFar: () => {
      const far = new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${service.tenants[0].tokens.viewer}` } },
      });
      fars.push(far);
      return far;
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(here);
  return { client, fars, ended };
}

describe('a bridge to a service', () => {
  it('ends when the client goes', async () => {
    const { client, ended } = await bridged();
    await client.close();
    await ended;
  });

  it('opens a session that the service has ended again, once, unseen by the client', async () => {
    const { client, fars } = await bridged();
    const first = fars[0].sessionId;
    await fetch(`${service.address}/mcp`, {
      method: 'DELETE',
      headers: {
        authorization: `Bearer ${service.tenants[0].tokens.viewer}`,
        'mcp-session-id': String(first),
        'mcp-protocol-version': '2025-06-18',
      },
    });
    const [tools, templates] = await Promise.all([client.listTools(), client.listResourceTemplates()]);
    expect(tools.tools.length).toBeGreaterThan(10);
    expect(templates.resourceTemplates).toHaveLength(3);
    expect(fars).toHaveLength(2);
    expect(fars[1].sessionId).not.toBe(first);
    await client.close();
  });
});
