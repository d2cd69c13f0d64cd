import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '#test/support/program';
import { type ContractService, startContractService } from './support/contract-service.ts';
import { writeTinyRecordings } from './support/tiny-recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-test-mcp-'));
const recordings = join(folder, 'recordings');
const exports = join(folder, 'exports');

beforeAll(() => writeTinyRecordings(recordings));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function connect(args: readonly string[], client = new Client({ name: 'test', version: '1' })) {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ASSAY_CACHE: 'none' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env,
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));
}

describe('assay mcp PATH', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect([recordings, '--out', exports]);
  });
  afterAll(() => client.close());

  it('offers what needs no service', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['inspect', true],
      ['assess', true],
      ['search', true],
      ['export', false],
    ]);
  });

  it('inspects', async () => {
    const { structuredContent } = await call(client, 'inspect', { path: 'teleop' });
    expect(structuredContent).toMatchObject({ datasets: [{ format: 'lerobot', expected_episodes: 2 }] });
  });

  it('assesses, and lists what needs looking at', async () => {
    const { structuredContent } = await call(client, 'assess');
    expect(structuredContent).toMatchObject({
      dataset: { episodes: 2, format: 'lerobot' },
      episodes: [{ decision: expect.any(String) }, { decision: expect.any(String) }],
      episodes_not_listed: 0,
    });
    const { structuredContent: few } = await call(client, 'assess', { most: 1 });
    expect(few).toMatchObject({ episodes_not_listed: 1 });
  });

  it('searches', async () => {
    const { structuredContent } = await call(client, 'search', { path: 'teleop', like: '0', most: 1 });
    expect(structuredContent).toMatchObject({ coverage: { matched: 1 }, items: [{ episode: { index: 1 } }] });
  });

  it('says what it would export, and writes where it may', async () => {
    const all = { path: 'teleop', with_review: true };
    const planned = await call(client, 'export', all);
    expect(planned.structuredContent).toMatchObject({ kept: [{ source_index: 0 }, { source_index: 1 }] });
    expect(existsSync(exports)).toBe(false);
    const written = await call(client, 'export', { ...all, name: 'kept' });
    expect(written.structuredContent).toMatchObject({ format: 'lerobot-v3', seal: expect.any(String) });
    expect(existsSync(join(exports, 'kept', 'meta', 'info.json'))).toBe(true);
    const again = await call(client, 'export', { ...all, name: 'kept' });
    expect(again.isError).toBe(true);
  });

  it.each(['..', '../..', '/etc', 'nowhere'])('looks at nothing at %s', async (path) => {
    const answer = await call(client, 'inspect', { path });
    expect(answer.isError).toBe(true);
    expect(['not_permitted', 'not_found']).toContain(Object(answer.structuredContent?.error).code);
  });

  it('names what is wrong with an input', async () => {
    const answer = await call(client, 'assess', { most: -1, depth: 3 });
    expect(answer.structuredContent).toMatchObject({
      error: { code: 'invalid_request', details: { errors: [{ pointer: '/most' }, { pointer: '/depth' }] } },
    });
  });
});

describe('assay mcp at a service', () => {
  let service: ContractService;
  beforeAll(async () => {
    service = await startContractService();
  });
  afterAll(() => service.close());

  it('has the tools of the token’s role, and asks the person at the client', async () => {
    const asked: string[] = [];
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { agree: true } };
    });
    const { admin } = service.tenants[0].tokens;
    await connect(['--url', service.address, '--token', admin], client);
    expect((await client.listTools()).tools).toHaveLength(35);
    expect((await call(client, 'set_budget', { cap_usd: 12 })).structuredContent).toMatchObject({
      cap_usd: 12,
    });
    expect(asked).toEqual([expect.stringContaining('12.00 USD')]);
    await client.close();
  });

  it('says why where the token is no good', async () => {
    const connecting = connect(['--url', service.address, '--token', service.revoked]);
    await expect(connecting).rejects.toThrow(/the token is invalid, expired or revoked/);
  });
});
