import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type RequestId,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AssayError, errorCodes, type JsonObject, type JsonValue } from '#core';
import { Approvals, type Caller, type Offer, type OfferedTool } from './offer.ts';

/** Options of an MCP server. */
export interface McpServerOptions<Who> {
  readonly version: string;
  readonly offer: Offer<Who>;
  readonly whoOf: (extra: Extra) => Who;
  /** Called with errors that are internal. */
  readonly onFault: (thrown: unknown) => void;
}

/** Returns an MCP server for one client, with the tools, resources and prompts of `offer`; connect it to a transport. */
export function createMcpServer<Who>({ version, offer, whoOf, onFault }: McpServerOptions<Who>): Server {
  const server = new Server(
    { name: 'assay', title: 'Assay', version },
    { capabilities: listCapabilities(offer), instructions: offer.instructions },
  );
  const approvals = new Approvals();
  const callerOf = (extra: Extra): Caller<Who> => ({
    who: whoOf(extra),
    signal: extra.signal,
    askPerson: personAsker(server, extra),
    approvals,
  });
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => ({
    tools: offer.tools(whoOf(extra)).map(listedTool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = offer.find(params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `tool not found: ${params.name}`);
    const log = async (level: 'info' | 'warning', outcome: string) => {
      const data = { tool: tool.id, outcome };
      // Errors are ignored: the client may have disconnected.
      await server.sendLoggingMessage({ level, logger: 'tools', data }, extra.sessionId).catch(() => {});
    };
    try {
      const answer = await tool.call(toJsonObject(params.arguments ?? {}), callerOf(extra));
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

/** Returns the server's capabilities; prompts and completions only if there are prompts. */
const listCapabilities = ({ prompts }: Pick<Offer<never>, 'prompts'>) => ({
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
        throw toResourceError(thrown, uri);
      });
      if (text !== null) return { contents: [{ uri, mimeType: media_type, text }] };
    }
    throw noResource(uri);
  });
}

/** MCP error code of a missing resource. */
const resourceNotFound = -32_002;

const noResource = (uri: string): McpError =>
  new McpError(resourceNotFound, `resource not found: ${uri}`, { uri });

function toResourceError(thrown: unknown, uri: string): McpError {
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

const toJsonObject = (value: object): JsonObject => JSON.parse(JSON.stringify(value));

/** Returns a tool's answer as text, and as structured content if it is an object. */
function toolAnswer(answer: JsonValue): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    ...(isObject(answer) ? { structuredContent: { ...answer } } : {}),
  };
}

/** Returns an error as a tool result for the model; internal errors without details. */
function toolFailure(thrown: unknown): CallToolResult {
  const error = thrown instanceof AssayError ? thrown : new AssayError('internal', 'the tool failed');
  const { code, message, advice, details } = error;
  const errorReport = { code, title: errorCodes[code].title, message, advice, details };
  return {
    ...toolAnswer({
      error: code === 'internal' ? { ...errorReport, message: 'the tool failed', details: {} } : errorReport,
    }),
    isError: true,
  };
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Timeout of a confirmation in ms; equal to the lifetime of an approval. */
const confirmationTimeout_ms = 600_000;
const declineCodes: readonly number[] = [ErrorCode.RequestTimeout, ErrorCode.InvalidParams];

interface ElicitationRequest {
  readonly requestId: RequestId;
  readonly signal: AbortSignal;
}

/**
 * Returns a function that asks the person by elicitation; null if the client does not support it. A timeout or a
 * malformed answer counts as no.
 */
function personAsker(
  server: Server,
  { requestId, signal }: ElicitationRequest,
): ((prompt: string) => Promise<boolean>) | null {
  const { elicitation } = server.getClientCapabilities() ?? {};
  if (elicitation === undefined || (elicitation.form === undefined && elicitation.url !== undefined))
    return null;
  return async (prompt) => {
    try {
      const { action, content } = await server.elicitInput(
        { mode: 'form', message: prompt, requestedSchema: agreementSchema },
        { relatedRequestId: requestId, signal, timeout: confirmationTimeout_ms },
      );
      return action === 'accept' && content?.agree === true;
    } catch (thrown) {
      if (thrown instanceof McpError && declineCodes.includes(thrown.code)) return false;
      throw thrown;
    }
  };
}

const agreementSchema = {
  type: 'object' as const,
  properties: {
    agree: { type: 'boolean' as const, title: 'Confirm', description: 'Confirm that this should be done' },
  },
  required: ['agree'],
};

/** Most values of a completion by the protocol. */
const maxCompletionValues = 100;

/** Adds the handlers of prompts and of argument completion. */
function addPrompts<Who>(
  server: Server,
  { prompts, complete }: Pick<Offer<Who>, 'prompts' | 'complete'>,
  callerOf: (extra: Extra) => Caller<Who>,
): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ id, title, description, parameters }) => ({
      ...{ name: id, title, description },
      arguments: parameters.map((parameter) => ({ ...parameter, required: true })),
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }, extra) => {
    const prompt = prompts.find(({ id }) => id === params.name);
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `prompt not found: ${params.name}`);
    const promptArguments = params.arguments ?? {};
    const missing = prompt.parameters.find(({ name }) => promptArguments[name] === undefined);
    if (missing !== undefined)
      throw new McpError(ErrorCode.InvalidParams, `missing argument: ${missing.name}`);
    const text = await prompt.text(promptArguments, callerOf(extra)).catch((thrown: unknown) => {
      throw toPromptError(thrown);
    });
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params }, extra) => {
    const { name, value } = params.argument;
    const values = await complete(name, value, callerOf(extra));
    return {
      completion: {
        values: values.slice(0, maxCompletionValues),
        hasMore: values.length > maxCompletionValues,
      },
    };
  });
}

function toPromptError(thrown: unknown): McpError {
  if (!(thrown instanceof AssayError) || thrown.code === 'internal')
    return new McpError(ErrorCode.InternalError, 'the prompt could not be created');
  const { code, message, advice } = thrown;
  return new McpError(ErrorCode.InvalidParams, message, { code, advice });
}

/** Context of an MCP request: authentication, session and abort signal. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
