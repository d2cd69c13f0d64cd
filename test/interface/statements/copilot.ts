import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { AssayClient, CopilotChatEvent } from '#client';
import { inSection, refused, sameMembers } from '../statement.ts';
import { newName, type World } from '../world.ts';

const tools = [
  ...[
    'list_workspaces',
    'list_use_cases',
    'create_workspace',
    'list_projects',
    'open_project',
    'create_project',
  ],
  ...['set_target_profile', 'register_source', 'list_sources', 'trigger_run', 'get_run_status', 'cancel_run'],
  ...['get_readiness_report', 'diagnose_failures', 'get_annotation_layers', 'set_annotation_layers'],
  ...[
    'run_annotation_job',
    'get_readiness_settings',
    'set_readiness_settings',
    'search_episodes',
    'create_slice',
  ],
  ...['list_slices', 'curate_subset', 'list_exports', 'create_export', 'seal_export', 'get_export_download'],
  ...['delete_export', 'get_models', 'set_model', 'get_budget', 'set_budget', 'list_users', 'invite_user'],
  'raise_support_query',
];
const flagged = [
  ...['trigger_run', 'cancel_run', 'run_annotation_job', 'curate_subset', 'create_export', 'seal_export'],
  ...['delete_export', 'set_budget', 'invite_user'],
];
const stopReasons = ['complete', 'cancelled', 'step_limit', 'budget_exceeded', 'provider_error', 'degraded'];
const eventTypes = ['start', 'token', 'tool_call', 'tool_result', 'confirmation', 'usage', 'error', 'done'];

/** One turn of the copilot, event by event. */
async function talk(client: AssayClient, project_id?: string): Promise<CopilotChatEvent[]> {
  const messages = [{ role: 'user', content: 'What blocks readiness?' }] as const;
  const events: CopilotChatEvent[] = [];
  for await (const event of client.copilot.chat({ messages, project_id }, { tries: 1 })) events.push(event);
  return events;
}

/** The tools of a role over the service's MCP endpoint. */
async function withTools<T>(
  { address }: World,
  token: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'conformance', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const call = async (client: Client, name: string, input: Record<string, unknown>) =>
  CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));

const registry = inSection('4.8', {
  'The registry has 35 tools, each with a JSON Schema': async (world) =>
    withTools(world, world.tokens.admin, async (client) => {
      const { tools: found } = await client.listTools();
      sameMembers(
        found.map(({ name }) => name),
        tools,
      );
      assert.ok(found.every(({ inputSchema }) => inputSchema.type === 'object'));
    }),
  'Nine tools are flagged as destructive or spending': async (world) =>
    withTools(world, world.tokens.admin, async (client) => {
      const { tools: found } = await client.listTools();
      sameMembers(
        found.filter(({ annotations }) => annotations?.destructiveHint === true).map(({ name }) => name),
        flagged,
      );
    }),
  'Tools inherit the tenant isolation of the service': async (world) =>
    withTools(world, world.tokens.admin, async (client) => {
      const { items } = await world.other.workspaces.list();
      const workspace =
        items[0] ?? (await world.other.workspaces.create({ name: 'own', use_case: 'drones-aerial' }));
      const listed = await call(client, 'list_workspaces', {});
      assert.ok(!JSON.stringify(listed.structuredContent ?? listed.content).includes(workspace.id));
    }),
});

const confirmation = inSection('3.3', {
  'A flagged tool does not run until it is confirmed, and then runs and is audited': async (world) =>
    withTools(world, world.tokens.admin, async (client) => {
      const { cap_usd } = await world.as.viewer.budget.get();
      const first = await call(client, 'set_budget', { cap_usd: 1_000_000 });
      const { confirmation: id } = (first.structuredContent ?? {}) as { readonly confirmation?: string };
      assert.ok(id !== undefined, JSON.stringify(first.structuredContent));
      assert.equal((await world.as.viewer.budget.get()).cap_usd, cap_usd);
      try {
        await call(client, 'set_budget', { cap_usd: 1_000_000, confirmation: id });
        assert.equal((await world.as.viewer.budget.get()).cap_usd, 1_000_000);
        const { items } = await world.as.admin.audit.list({ action: 'use_tool' });
        assert.ok(items.some((entry) => JSON.stringify(entry).includes('set_budget')));
      } finally {
        await world.as.admin.budget.set({ cap_usd });
      }
    }),
});

const access = inSection('5', {
  'A viewer’s catalog has only read-only tools': async (world) =>
    withTools(world, world.tokens.viewer, async (client) => {
      const { tools: found } = await client.listTools();
      assert.ok(found.length > 0 && found.length < tools.length);
      const names = found.map(({ name }) => name);
      assert.ok(!names.some((name) => flagged.includes(name)), names.join(', '));
    }),
});

const chat = inSection('6.1', {
  'A turn begins with start, which tells provider, model, degradation, autopilot and context': async ({
    as,
    recorded,
  }) => {
    const [first] = await talk(as.viewer, (await recorded()).project_id);
    assert.equal(first.event, 'start');
    if (first.event !== 'start') return;
    const { provider, configured, degraded, reason, autopilot, context } = first.data;
    assert.ok(provider && typeof configured === 'boolean' && autopilot === false && context !== null);
    assert.ok(!degraded || reason, 'a degraded turn says why');
  },
  'A turn ends with done, which tells steps, one of six stop reasons and the thread': async ({ as }) => {
    const events = await talk(as.viewer);
    const last = events.at(-1);
    assert.ok(last?.event === 'done' && stopReasons.includes(last.data.stop_reason) && last.data.thread_id);
    assert.ok(events.every(({ event }) => eventTypes.includes(event)));
    assert.ok(events.some(({ event }) => event === 'token' || event === 'error'));
  },
  'The contract names eight event types and six stop reasons': async ({ send }) => {
    const { body } = await send('GET', '/v1/openapi.json', undefined, '');
    const text = JSON.stringify(body);
    for (const word of [...eventTypes, ...stopReasons]) assert.ok(text.includes(`"${word}"`), word);
  },
});

const boundary = inSection('7', {
  'The context of a turn holds no bytes, data URIs, base64 runs or media paths': async ({ as, recorded }) => {
    const [first] = await talk(as.viewer, (await recorded()).project_id);
    const text = JSON.stringify(first.event === 'start' ? first.data.context : null);
    assert.doesNotMatch(text, /data:[a-z]+\/|\.(mp4|png|jpe?g|mkv|avi|mov)\b|[A-Za-z0-9+/]{120,}/);
  },
  'The copilot never raises into its endpoint: without a key it answers from the context and says so':
    async ({ as }) => {
      const { key_configured } = await as.viewer.copilot.getModels();
      if (key_configured) return 'a provider is configured';
      const events = await talk(as.viewer);
      const [first] = events;
      assert.ok(first.event === 'start' && first.data.degraded && first.data.reason);
      const last = events.at(-1);
      assert.ok(last?.event === 'done' && last.data.stop_reason === 'degraded');
      assert.ok(events.some(({ event }) => event === 'token'));
      return undefined;
    },
});

const endpoints = inSection('4.6', {
  'Models tell the active one and whether a provider key is configured': async ({ as }) => {
    const { key_configured, items, active } = await as.viewer.copilot.getModels();
    assert.equal(typeof key_configured, 'boolean');
    assert.ok(active === null || items.some((item) => item.active));
  },
  'Suggestions give prompts that fit the context, and FAQs': async ({ as, recorded }) => {
    const { project_id } = await recorded();
    const { suggestions, faqs } = await as.viewer.copilot.getSuggestions({ project_id });
    assert.ok(suggestions.length > 0 && faqs.length > 0);
  },
  'A support query is raised and listed for its tenant alone': async ({ as, other }) => {
    const subject = newName('a question');
    const { id } = await as.viewer.copilot.raiseSupportQuery({ subject, message: 'Does it work?' });
    const mine = await as.viewer.copilot.listSupportQueries();
    assert.ok(mine.items.some((query) => query.id === id));
    const theirs = await other.copilot.listSupportQueries();
    assert.ok(!theirs.items.some((query) => query.id === id));
  },
  'Threads are listed, read and deleted by whoever wrote them': async ({ as }) => {
    const last = (await talk(as.viewer)).at(-1);
    assert.ok(last?.event === 'done');
    const { thread_id } = last.data;
    const { items } = await as.viewer.copilot.listThreads();
    assert.ok(items.some(({ id }) => id === thread_id));
    assert.ok((await as.viewer.copilot.getThread({ thread_id })).messages.length >= 2);
    await refused(as.admin.copilot.getThread({ thread_id }), 404);
    await as.viewer.copilot.deleteThread({ thread_id });
    await refused(as.viewer.copilot.getThread({ thread_id }), 404);
  },
});

export const copilotStatements = [
  ...registry,
  ...confirmation,
  ...access,
  ...chat,
  ...boundary,
  ...endpoints,
];
