import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AssayError, type JsonObject } from '#core';
import { Approvals } from './approvals.ts';
import { askPersonOf } from './ask-person.ts';
import type { Extra } from './extra.ts';
import type { Caller, Offer, OfferedTool } from './offer.ts';
import { addPrompts } from './prompts.ts';
import { toolAnswer, toolFailure } from './tool-answer.ts';

export interface McpServerOptions<Who> {
  readonly version: string;
  readonly offer: Offer<Who>;
  readonly whoOf: (extra: Extra) => Who;
  /** Hears of failures that are no AssayError. */
  readonly onFault: (thrown: unknown) => void;
}

/** A server of the protocol for one client; connect it to a transport. */
export function createMcpServer<Who>({ version, offer, whoOf, onFault }: McpServerOptions<Who>): Server {
  const server = new Server(
    { name: 'assay', title: 'Assay', version },
    { capabilities: capabilitiesOf(offer), instructions: offer.instructions },
  );
  const approvals = new Approvals();
  const callerOf = (extra: Extra): Caller<Who> => ({
    who: whoOf(extra),
    signal: extra.signal,
    askPerson: askPersonOf(server, extra),
    approvals,
  });
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => ({
    tools: offer.tools(whoOf(extra)).map(listedTool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = offer.find(params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`);
    const log = async (level: 'info' | 'warning', outcome: string) => {
      const data = { tool: tool.id, outcome };
      // Who has gone misses a line; what was done is done.
      await server.sendLoggingMessage({ level, logger: 'tools', data }, extra.sessionId).catch(() => {});
    };
    try {
      const answer = await tool.call(plain(params.arguments ?? {}), callerOf(extra));
      await log('info', 'answered');
      return toolAnswer(answer);
    } catch (thrown) {
      await log('warning', thrown instanceof AssayError ? thrown.code : 'internal');
      if (!(thrown instanceof AssayError) || thrown.code === 'internal') onFault(thrown);
      return toolFailure(thrown);
    }
  });
  addResources(server, offer, callerOf);
  if (offer.prompts.length > 0) addPrompts(server, offer, callerOf);
  return server;
}

/** What has nothing to show is not claimed. */
const capabilitiesOf = ({ prompts }: Pick<Offer<never>, 'prompts'>) => ({
  ...{ tools: {}, resources: {}, logging: {} },
  ...(prompts.length > 0 ? { prompts: {}, completions: {} } : {}),
});

function addResources<Who>(server: Server, offer: Offer<Who>, callerOf: (extra: Extra) => Caller<Who>): void {
  server.setRequestHandler(ListResourcesRequestSchema, async (_request, extra) => ({
    resources: (await offer.listResources(callerOf(extra))).map(({ media_type, ...listed }) => ({
      ...listed,
      mimeType: media_type,
    })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: offer.kinds.map(({ template, name, description, media_type }) => ({
      ...{ uriTemplate: template, name, description, mimeType: media_type },
    })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    for (const { read, media_type } of offer.kinds) {
      const text = await read(uri, callerOf(extra)).catch((thrown: unknown) => {
        throw resourceFault(thrown, uri);
      });
      if (text !== null) return { contents: [{ uri, mimeType: media_type, text }] };
    }
    throw noResource(uri);
  });
}

/** The protocol's code for a resource that is not there. */
const resourceNotFound = -32_002;

const noResource = (uri: string): McpError =>
  new McpError(resourceNotFound, `there is no resource ${uri}`, { uri });

function resourceFault(thrown: unknown, uri: string): McpError {
  if (!(thrown instanceof AssayError))
    return new McpError(ErrorCode.InternalError, 'the resource could not be read');
  const { code, message, advice } = thrown;
  return code === 'not_found'
    ? noResource(uri)
    : new McpError(ErrorCode.InternalError, message, { code, advice });
}

function listedTool<Who>({ id, title, description, input_schema, reads, confirmed }: OfferedTool<Who>): Tool {
  return {
    name: id,
    title,
    description,
    inputSchema: { type: 'object', ...input_schema },
    annotations: {
      title,
      readOnlyHint: reads,
      ...(reads ? {} : { destructiveHint: confirmed, idempotentHint: false }),
      openWorldHint: false,
    },
  };
}

const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value));
