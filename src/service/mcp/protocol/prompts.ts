import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AssayError } from '#core';
import type { Extra } from './extra.ts';
import type { Caller, Offer } from './offer.ts';

/** Values that a completion may hold, by the protocol. */
const mostValues = 100;

/** Prompts, and completion of their arguments and of those of resource templates. */
export function addPrompts<Who>(
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
    if (prompt === undefined)
      throw new McpError(ErrorCode.InvalidParams, `there is no prompt ${params.name}`);
    const given = params.arguments ?? {};
    const missing = prompt.parameters.find(({ name }) => given[name] === undefined);
    if (missing !== undefined) throw new McpError(ErrorCode.InvalidParams, `${missing.name} is missing`);
    const text = await prompt.text(given, callerOf(extra)).catch((thrown: unknown) => {
      throw promptFault(thrown);
    });
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params }, extra) => {
    const { name, value } = params.argument;
    const values = await complete(name, value, callerOf(extra));
    return {
      completion: { values: values.slice(0, mostValues), hasMore: values.length > mostValues },
    };
  });
}

function promptFault(thrown: unknown): McpError {
  if (!(thrown instanceof AssayError) || thrown.code === 'internal')
    return new McpError(ErrorCode.InternalError, 'the prompt could not be made');
  const { code, message, advice } = thrown;
  return new McpError(ErrorCode.InvalidParams, message, { code, advice });
}
