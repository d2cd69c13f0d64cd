import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#core';
import type { Role } from '#core/api';
import { toolsFor } from '#service/copilot';
import { OwnObjects } from '#test/support/contract-calls';
import { type ContractService, joinContractService } from '#test/support/contract-service';

let service: ContractService;
let project_id: string;
let episode_id: string;
const opened: Client[] = [];

beforeAll(async () => {
  service = await joinContractService();
  const objects = new OwnObjects(service, service.tenants[0]);
  project_id = await objects.fixture('create_export.project_id');
  episode_id = await objects.fixture('episode_id');
});
afterAll(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await service.close();
});

interface Wishes {
  readonly tenant?: number;
  /** What the person answers; absent: the client cannot ask. */
  readonly person?: (message: string) => boolean | 'cancel';
}

async function connect(role: Role, { tenant = 0, person }: Wishes = {}): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: person === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (person !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const said = person(params.message);
      return said === 'cancel' ? { action: 'cancel' } : { action: 'accept', content: { agree: said } };
    });
  await client.connect(transportOf(service.tenants[tenant].tokens[role]));
  opened.push(client);
  return client;
}

const transportOf = (token: string) =>
  new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

async function call(client: Client, name: string, input: JsonObject) {
  const answer = await client.callTool({ name, arguments: { ...input } }, CallToolResultSchema);
  return CallToolResultSchema.parse(answer);
}

describe('the catalogue over MCP', () => {
  it.each(['viewer', 'reviewer', 'engineer', 'admin'] as const)('is that of a %s', async (role) => {
    const { tools } = await (await connect(role)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolsFor(role).map(({ id }) => id));
  });

  it('marks what reads, and what clients should ask about', async () => {
    const { tools } = await (await connect('admin')).listTools();
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.get('list_projects')).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(hints.get('create_slice')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(hints.get('delete_export')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });
});

describe('a tool over MCP', () => {
  it('answers as text and as structure', async () => {
    const answer = await call(await connect('viewer'), 'open_project', { project_id });
    expect(answer.structuredContent).toMatchObject({ id: project_id });
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
  });

  it('tells the model what is wrong, as a result', async () => {
    const answer = await call(await connect('viewer'), 'open_project', { project_id: 'arms' });
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({
      error: { code: 'invalid_request', details: { errors: [{ pointer: '/project_id' }] } },
    });
  });

  it('is refused to a role that is too low, though it is called by name', async () => {
    const answer = await call(await connect('viewer'), 'set_budget', { cap_usd: 1 });
    expect(answer.structuredContent).toMatchObject({ error: { code: 'forbidden' } });
  });

  it('finds nothing of another tenant', async () => {
    const answer = await call(await connect('admin', { tenant: 1 }), 'open_project', { project_id });
    expect(answer.structuredContent).toMatchObject({ error: { code: 'not_found' } });
  });

  it('refuses to answer with what no provider may get', async () => {
    const client = await connect('engineer');
    const input = { workspace_id: await new OwnObjects(service, service.tenants[0]).fixture('workspace_id') };
    const name = 'data:image/png;base64,iVBORw0KGgo=';
    const made = await call(client, 'create_project', { ...input, name, target_profile: 'vla' });
    expect(made.structuredContent).toMatchObject({ error: { code: 'media_refused' } });
    expect(JSON.stringify(made)).not.toContain('iVBOR');
  });

  it('that is unknown is an error of the protocol', async () => {
    await expect(call(await connect('viewer'), 'fly', {})).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('the log over MCP', () => {
  it('tells of each use of a tool how it ended, from the level that the client wants', async () => {
    const client = await connect('viewer');
    const heard: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      heard.push([params.level, params.data]);
    });
    const uses = async () => {
      await call(client, 'open_project', { project_id });
      await call(client, 'set_budget', { cap_usd: 1 });
    };
    await uses();
    await client.setLoggingLevel('warning');
    await uses();
    const refused = ['warning', { tool: 'set_budget', outcome: 'forbidden' }];
    const done = ['info', { tool: 'open_project', outcome: 'answered' }];
    await expect.poll(() => heard).toEqual([done, refused, refused]);
  });
});

describe('what a person confirms', () => {
  const budget = async (client: Client) => (await call(client, 'get_budget', {})).structuredContent?.cap_usd;

  it('is asked at the client, and done once they agree', async () => {
    const asked: string[] = [];
    const client = await connect('admin', { person: (message) => asked.push(message) > 0 });
    const answer = await call(client, 'set_budget', { cap_usd: 900 });
    expect(asked).toEqual([expect.stringContaining('900.00 USD')]);
    expect(answer.structuredContent).toMatchObject({ cap_usd: 900 });
  });

  it.each([false, 'cancel'] as const)('is not done when they answer %s', async (said) => {
    const client = await connect('admin', { person: () => said });
    const before = await budget(client);
    const answer = await call(client, 'set_budget', { cap_usd: 5 });
    expect(answer.structuredContent).toMatchObject({ status: 'declined', tool: 'set_budget' });
    expect(await budget(client)).toBe(before);
  });

  it('comes back as an envelope where the client cannot ask, good once and for these arguments', async () => {
    const client = await connect('admin');
    const { structuredContent: envelope } = await call(client, 'set_budget', { cap_usd: 800 });
    expect(envelope).toMatchObject({ status: 'confirmation_required', facts: { cap_usd: 800 } });
    expect(await budget(client)).not.toBe(800);
    const confirmation = String(envelope?.confirmation);
    const other = await call(client, 'set_budget', { cap_usd: 8000, confirmation });
    expect(other.structuredContent).toMatchObject({ error: { code: 'conflict' } });
    const again = await call(client, 'set_budget', { cap_usd: 800 });
    const input = { cap_usd: 800, confirmation: String(again.structuredContent?.confirmation) };
    expect((await call(client, 'set_budget', input)).structuredContent).toMatchObject({ cap_usd: 800 });
    expect((await call(client, 'set_budget', input)).structuredContent).toMatchObject({
      error: { code: 'conflict' },
    });
  });

  it('is not good in another session', async () => {
    const { structuredContent } = await call(await connect('admin'), 'set_budget', { cap_usd: 700 });
    const input = { cap_usd: 700, confirmation: String(structuredContent?.confirmation) };
    const answer = await call(await connect('admin'), 'set_budget', input);
    expect(answer.structuredContent).toMatchObject({ error: { code: 'conflict' } });
  });
});

describe('resources over MCP', () => {
  it('list the reports of projects, which can be read', async () => {
    const client = await connect('viewer');
    const { resources } = await client.listResources();
    const uri = `assay://projects/${project_id}/readiness`;
    expect(resources).toContainEqual(expect.objectContaining({ uri, mimeType: 'application/json' }));
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse('text' in contents[0] ? contents[0].text : '')).toMatchObject({
      summary: { project_id },
      target: { profile: 'vla' },
    });
  });

  it('give a receipt byte for byte', async () => {
    const client = await connect('viewer');
    const uri = `assay://episodes/${episode_id}/receipt`;
    const { contents } = await client.readResource({ uri });
    const sealed = await fetch(`${service.address}/v1/episodes/${episode_id}/receipt`, {
      headers: { authorization: `Bearer ${service.tenants[0].tokens.viewer}` },
    });
    expect(contents).toEqual([{ uri, mimeType: 'application/json', text: await sealed.text() }]);
  });

  it('are not there for another tenant, nor at an address that is none', async () => {
    const client = await connect('admin', { tenant: 1 });
    for (const uri of [
      `assay://episodes/${episode_id}/receipt`,
      'assay://episodes/x/receipt',
      'assay://elsewhere',
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
  });

  it('name their templates', async () => {
    const { resourceTemplates } = await (await connect('viewer')).listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'assay://episodes/{episode_id}/receipt',
      'assay://projects/{project_id}/readiness',
      'assay://projects/{project_id}/certification',
    ]);
  });
});

describe('prompts over MCP', () => {
  it('are the questions that are answered without a model, each with its answer', async () => {
    const client = await connect('viewer');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      ...['blocks_readiness', 'missing_for_target', 'look_at_first', 'what_changed', 'what_it_cost'],
    ]);
    for (const { name, title } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: { project_id } });
      const [{ role, content }] = messages;
      const text = content.type === 'text' ? content.text : '';
      expect([role, text.startsWith(String(title))]).toEqual(['user', true]);
      expect(text).toMatch(/\n- .+ \{".+\}/);
    }
  });

  it('complete the id of a project from its beginning, or its name’s', async () => {
    const client = await connect('viewer');
    const complete = async (value: string, name = 'project_id') =>
      (
        await client.complete({
          ref: { type: 'ref/prompt', name: 'blocks_readiness' },
          argument: { name, value },
        })
      ).completion.values;
    expect(await complete(project_id.slice(0, -2))).toContain(project_id);
    expect(await complete('AR')).toContain(project_id);
    expect(await complete('nothing')).toEqual([]);
    expect(await complete('', 'episode_id')).toEqual([]);
  });

  it('are of one tenant, and say what is wrong', async () => {
    const stranger = await connect('admin', { tenant: 1 });
    for (const wrong of [{ project_id }, { project_id: 'arms' }, {}])
      await expect(
        stranger.getPrompt({ name: 'blocks_readiness', arguments: { ...wrong } }),
      ).rejects.toMatchObject({ code: -32_602 });
    await expect(stranger.getPrompt({ name: 'fly' })).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('the address /mcp', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const post = (headers: Record<string, string>, body: object = initialize) =>
    fetch(`${service.address}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const bearer = (role: Role, tenant = 0) => ({
    authorization: `Bearer ${service.tenants[tenant].tokens[role]}`,
  });

  it('asks for a token', async () => {
    const answer = await post({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('refuses pages of other sites', async () => {
    expect((await post({ ...bearer('viewer'), origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post({ ...bearer('viewer'), origin: service.address })).status).toBe(200);
  });

  it('opens a session for one token alone', async () => {
    const opened = await post(bearer('viewer'));
    const session = String(opened.headers.get('mcp-session-id'));
    await opened.text();
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    expect((await post({ ...bearer('viewer'), 'mcp-session-id': session }, ping)).status).toBe(200);
    expect((await post({ ...bearer('admin'), 'mcp-session-id': session }, ping)).status).toBe(404);
    expect((await post({ ...bearer('viewer'), 'mcp-session-id': 'none' }, ping)).status).toBe(404);
  });

  it('wants a session for anything but the beginning of one', async () => {
    expect((await post(bearer('viewer'), { jsonrpc: '2.0', id: 2, method: 'tools/list' })).status).toBe(400);
  });
});
