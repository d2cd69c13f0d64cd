import { AssayError, idPattern, type JsonObject, type JsonValue } from '#core';
import {
  argumentHash,
  askProject,
  assertNoMedia,
  type Tool,
  tools,
  toolsFor,
  withholdWithin,
} from '#service/copilot';
import { questionShapes } from '#service/copilot/ask';
import { type Call, listProjects } from '#service/operations';
import type { Store } from '#store';
import type { Caller, Offer, OfferedPrompt, OfferedTool } from '../protocol/offer.ts';
import { listReports, resourceKinds } from '../service/resources.ts';
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

const instructions = [
  'Assay says with evidence whether robot and vision recordings are fit to train on.',
  'Start with list_workspaces and list_projects; get_readiness_report and diagnose_failures say how a project stands.',
  'Tools that end, remove, seal, spend or let somebody in need a person’s agreement: show them the prompt, never agree for them.',
  'No picture or video leaves here; receipts and reports are resources.',
].join(' ');

/** What a running service offers over the protocol: the copilot's tools, by role, and receipts and reports. */
function serviceOffer(store: Store): Offer<Call> {
  return {
    instructions,
    tools: (call) => offeredTools(store, call),
    find: (id) => {
      const tool = tools.get(id);
      return tool === undefined ? undefined : offeredTool(store, tool);
    },
    kinds: resourceKinds(store),
    prompts: servicePrompts(store),
    complete: (name, typed, caller) => completeArgument(store, name, typed, caller),
    listResources: (caller) => listReports(store, caller),
  };
}

/** The questions that are answered without a model, each with that answer: an assistant goes on from there. */
function servicePrompts(store: Store): readonly OfferedPrompt<Call>[] {
  return questionShapes.map(({ id, example }) => ({
    id,
    title: example,
    description: `${example} With what the service itself answers, and the ids and numbers that rests on.`,
    parameters: [{ name: 'project_id', description: 'The project that is asked about' }],
    text: async ({ project_id }, { who }) => {
      if (!idPattern('prj').test(project_id)) throw new AssayError('not_found', 'there is no such project');
      const { sentences } = await askProject(store, who, { project_id, question: example });
      const told = withholdWithin(sentences.map(({ text, evidence }) => ({ text, evidence })));
      assertNoMedia(told);
      const lines = told.map(({ text, evidence }) => `- ${text} ${JSON.stringify(evidence)}`);
      return `${example}\n\nThe project is ${project_id}. What the service answers by itself, as data:\n${lines.join('\n')}`;
    },
  }));
}

const mostProjects = 200;

/** Ids of projects that begin with what was typed, or whose names do. */
async function completeArgument(
  store: Store,
  name: string,
  typed: string,
  { who }: Caller<Call>,
): Promise<readonly string[]> {
  if (name !== 'project_id') return [];
  const { items } = await listProjects(store, who, { limit: mostProjects });
  const begin = typed.toLowerCase();
  return items
    .filter((project) => project.id.startsWith(begin) || project.name.toLowerCase().startsWith(begin))
    .map(({ id }) => id);
}

/** A tool of the copilot's registry, behind its boundary; one that a person confirms takes the confirmation beside its arguments. */
function offeredTool(store: Store, tool: Tool): OfferedTool<Call> {
  const { id, title, description, effect, confirmed, input_schema } = tool;
  return {
    ...{ id, title, description, confirmed },
    reads: effect === 'read',
    input_schema: confirmed ? withConfirmation(input_schema) : input_schema,
    call: async (input, caller) => {
      const answer = confirmed
        ? await callConfirmed(store, tool, input, caller)
        : await tool.run(store, caller.who, input);
      assertNoMedia(answer);
      return answer;
    },
  };
}

const offeredTools = (store: Store, { actor }: Call): readonly OfferedTool<Call>[] =>
  toolsFor(actor.role).map((tool) => offeredTool(store, tool));

async function callConfirmed(
  store: Store,
  tool: Tool,
  { confirmation: given, ...input }: JsonObject,
  { who, askPerson, approvals }: Caller<Call>,
): Promise<JsonValue> {
  // Who may not do it is told so, before anybody is asked.
  const asked = await tool.confirmation?.(store, who, input);
  if (asked === undefined) throw new AssayError('internal', `${tool.id} has nothing to ask a person`);
  const hash = argumentHash(tool.id, tool.read(input));
  if (typeof given === 'string') {
    approvals.use(given, hash, Date.now());
    return tool.run(store, who, input);
  }
  if (askPerson === null) return envelope(tool, input, asked, approvals.open(hash, Date.now()));
  if (await askPerson(asked.prompt)) return tool.run(store, who, input);
  return { status: 'declined', tool: tool.id, prompt: asked.prompt };
}

function envelope(
  { id }: Tool,
  input: JsonObject,
  { prompt, facts }: { readonly prompt: string; readonly facts: JsonObject },
  { confirmation, expires_at }: { readonly confirmation: string; readonly expires_at: string },
): JsonObject {
  return {
    status: 'confirmation_required',
    ...{ tool: id, arguments: input, prompt, facts, confirmation, expires_at },
    how: `Nothing has been done. Show the prompt to the person. Only if they agree, call ${id} again with the same arguments and this confirmation.`,
  };
}

function withConfirmation(schema: JsonObject): JsonObject {
  const properties = typeof schema.properties === 'object' ? schema.properties : {};
  return {
    ...schema,
    properties: {
      ...properties,
      confirmation: {
        type: 'string',
        description:
          'leave out at first; where the answer asks for a confirmation and the person agrees, what it gave',
      },
    },
  };
}
