import type { z } from 'zod';
import type { JsonValue } from '#core';
import { inputReader, inputSchema, type ToolInput } from '#core/api';
import type { OfferedTool } from '#service/mcp/stdio';
import type { Io } from '../../../io.ts';

/** Where a tool of a folder works: notes go to standard error, results to whoever asked. */
export interface FolderContext {
  /** What was named on the command line. */
  readonly root: string;
  /** Below which exports may be written; null: nowhere. */
  readonly out: string | null;
  /** The command line's own, which is ended by the client's cancel as well. */
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

/** A tool that a folder is worked by, without a service. */
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
