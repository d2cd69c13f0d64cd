import type { z } from 'zod';
import type { JsonValue } from '#core';
import { inputReader, inputSchema, type ToolInput } from '#core/api';
import type { OfferedTool } from '#service/mcp/stdio';
import type { Io } from '../../io.ts';

/** Context of a folder tool: notes go to standard error, results to the client. */
export interface FolderContext {
  /** Path given on the command line. */
  readonly root: string;
  /** Folder below which exports may be written; `null` if none may. */
  readonly out: string | null;
  /** Input and output of the command; also aborted when the client cancels the call. */
  readonly io: Io;
}

export interface FolderToolDefinition<Body extends z.ZodObject> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly reads: boolean;
  readonly body: Body;
  readonly run: (context: FolderContext, input: ToolInput<{ readonly body: Body }>) => Promise<unknown>;
}

export type FolderTool = (context: FolderContext) => OfferedTool<null>;

/** Defines an MCP tool that works on a folder without a service. */
export function defineFolderTool<Body extends z.ZodObject>(
  definition: FolderToolDefinition<Body>,
): FolderTool {
  const { id, title, description, reads, body, run } = definition;
  const read = inputReader({ body });
  return (context) => ({
    ...{ id, title, description, reads },
    confirmed: false,
    input_schema: inputSchema({ body }),
    call: async (input, { signal }) => {
      const io = { ...context.io, signal: AbortSignal.any([context.io.signal, signal]) };
      return plain(await run({ ...context, io }, read(input)));
    },
  });
}

const plain = (answer: unknown): JsonValue => JSON.parse(JSON.stringify(answer ?? null));
