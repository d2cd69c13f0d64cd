import { AssayError, idPattern, type JsonObject, type JsonValue } from '#core';
import {
  argumentHash,
  askProject,
  assertNoMedia,
  type Tool,
  tools,
  toolsFor,
  withholdMediaWithin,
} from '#service/copilot';
import { questionShapes } from '#service/copilot/ask';
import { type Call, getCertificationReport, getReceipt, listProjects } from '#service/operations';
import type { Store } from '#store';
import { createMcpEndpoint, type McpEndpointOptions, type McpRequest, type McpResponse } from './endpoint.ts';
import type { Caller, ListedResource, Offer, OfferedPrompt, OfferedTool, ResourceKind } from './offer.ts';

/** Options of the MCP mount. */
interface McpMountOptions extends Omit<McpEndpointOptions, 'offer'> {
  readonly store: Store;
}

/**
 * Returns the `Mount` for the HTTP server that answers MCP at `/mcp`: it offers each caller the copilot's tools,
 * resources and prompts by role; `close` ends its streams.
 */
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
  'Assay checks whether robot and vision recordings are fit to train on, with evidence for every decision.',
  'Start with list_workspaces and list_projects; get_readiness_report and diagnose_failures report the state of a project.',
  'Tools that cancel, delete, seal, spend money or invite users require a person’s confirmation: show them the prompt and never confirm for them.',
  'Images and video are never returned; receipts and reports are available as resources.',
].join(' ');

/** Returns what the service offers over MCP: the copilot's tools by role, resources and prompts. */
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

/** Returns a prompt for each question that the service answers without a model; its text contains that answer. */
function servicePrompts(store: Store): readonly OfferedPrompt<Call>[] {
  return questionShapes.map(({ id, example }) => ({
    id,
    title: example,
    description: `${example} Includes the service’s own answer and the ids and numbers behind it.`,
    parameters: [{ name: 'project_id', description: 'Project to ask about' }],
    text: async ({ project_id }, { who }) => {
      if (!idPattern('prj').test(project_id)) throw new AssayError('not_found', 'project not found');
      const { sentences } = await askProject(store, who, { project_id, question: example });
      const safeAnswers = withholdMediaWithin(sentences.map(({ text, evidence }) => ({ text, evidence })));
      assertNoMedia(safeAnswers);
      const lines = safeAnswers.map(({ text, evidence }) => `- ${text} ${JSON.stringify(evidence)}`);
      return `${example}\n\nThe project is ${project_id}. The service’s own answer, as data:\n${lines.join('\n')}`;
    },
  }));
}

const maxCompletedProjects = 200;

/**
 * Completes `project_id`: ids of the projects whose id or name begins with the typed text; nothing for other
 * arguments.
 */
async function completeArgument(
  store: Store,
  name: string,
  typed: string,
  { who }: Caller<Call>,
): Promise<readonly string[]> {
  if (name !== 'project_id') return [];
  const { items } = await listProjects(store, who, { limit: maxCompletedProjects });
  const begin = typed.toLowerCase();
  return items
    .filter((project) => project.id.startsWith(begin) || project.name.toLowerCase().startsWith(begin))
    .map(({ id }) => id);
}

/**
 * Returns a copilot tool as MCP offers it, behind the media boundary; a tool that needs confirmation takes it as an extra
 * argument.
 */
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
  { confirmation: code, ...input }: JsonObject,
  { who, askPerson, approvals }: Caller<Call>,
): Promise<JsonValue> {
  // Checks permissions before a person is asked.
  const question = await tool.confirmation?.(store, who, input);
  if (question === undefined) throw new AssayError('internal', `${tool.id} has no confirmation prompt`);
  const hash = argumentHash(tool.id, tool.read(input));
  if (typeof code === 'string') {
    approvals.use(code, hash, Date.now());
    return tool.run(store, who, input);
  }
  if (askPerson === null)
    return confirmationEnvelope(tool, input, question, approvals.open(hash, Date.now()));
  if (await askPerson(question.prompt)) return tool.run(store, who, input);
  return { status: 'declined', tool: tool.id, prompt: question.prompt };
}

function confirmationEnvelope(
  { id }: Tool,
  input: JsonObject,
  { prompt, facts }: { readonly prompt: string; readonly facts: JsonObject },
  { confirmation, expires_at }: { readonly confirmation: string; readonly expires_at: string },
): JsonObject {
  return {
    status: 'confirmation_required',
    ...{ tool: id, arguments: input, prompt, facts, confirmation, expires_at },
    how: `Nothing has been done yet. Show the prompt to the person. Only if they agree, call ${id} again with the same arguments and this confirmation.`,
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
          'Omit in the first call. If the result has status confirmation_required and the person agrees, pass its `confirmation`.',
      },
    },
  };
}

const jsonType = 'application/json';
const receiptUri = /^assay:\/\/episodes\/([^/]+)\/receipt$/;
const readinessUri = /^assay:\/\/projects\/([^/]+)\/readiness$/;
const certificationUri = /^assay:\/\/projects\/([^/]+)\/certification$/;

/** Returns the resource kinds of the service: receipts, readiness reports and certification reports. */
function resourceKinds(store: Store): readonly ResourceKind<Call>[] {
  return [
    {
      template: 'assay://episodes/{episode_id}/receipt',
      name: 'Receipt',
      description: 'An episode’s receipt, byte for byte: why it was accepted, rejected or sent to review',
      media_type: jsonType,
      read: async (uri, { who }) => {
        const episode_id = parseId(uri, receiptUri, 'ep');
        return episode_id === null ? null : decodeText((await getReceipt(store, who, { episode_id })).json);
      },
    },
    {
      template: 'assay://projects/{project_id}/readiness',
      name: 'Readiness report',
      description:
        'Readiness of a project’s data: decisions, scores, flags, findings and target requirements',
      media_type: jsonType,
      read: async (uri, { who }) => {
        const project_id = parseId(uri, readinessUri, 'prj');
        const report = tools.get('get_readiness_report');
        if (project_id === null || report === undefined) return null;
        return JSON.stringify(await report.run(store, who, { project_id }));
      },
    },
    {
      template: 'assay://projects/{project_id}/certification',
      name: 'Certification report',
      description: 'A project’s episodes evaluated under its current certification policy',
      media_type: jsonType,
      read: async (uri, { who }) => {
        const project_id = parseId(uri, certificationUri, 'prj');
        return project_id === null
          ? null
          : decodeText((await getCertificationReport(store, who, { project_id })).json);
      },
    },
  ];
}

const maxListedProjects = 50;

/**
 * Lists the reports of the newest projects with episodes. Receipts are too many to list; they are read by their URI
 * template.
 */
async function listReports(store: Store, { who }: Caller<Call>): Promise<readonly ListedResource[]> {
  const { items } = await listProjects(store, who, { limit: maxListedProjects });
  return items
    .filter(({ episodes }) => episodes > 0)
    .flatMap(({ id, name, episodes }) => [
      {
        uri: `assay://projects/${id}/readiness`,
        name: `Readiness report: ${name}`,
        description: `Readiness report on ${episodes} episodes`,
        media_type: jsonType,
      },
      {
        uri: `assay://projects/${id}/certification`,
        name: `Certification report: ${name}`,
        description: `Certification report on ${episodes} episodes`,
        media_type: jsonType,
      },
    ]);
}

/** Returns the id in a URI; null if the URI has another shape. Throws `not_found` for a malformed id. */
function parseId(uri: string, shape: RegExp, prefix: 'ep' | 'prj'): string | null {
  const id = shape.exec(uri)?.[1];
  if (id === undefined) return null;
  if (idPattern(prefix).test(id)) return id;
  throw new AssayError('not_found', 'resource not found');
}

const decodeText = (bytes: Uint8Array | string): string =>
  typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
