import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, McpError, type RequestId } from '@modelcontextprotocol/sdk/types.js';

/** As long as a confirmation without elicitation is good. */
const patience_ms = 600_000;
const noes: readonly number[] = [ErrorCode.RequestTimeout, ErrorCode.InvalidParams];

interface Asked {
  readonly requestId: RequestId;
  readonly signal: AbortSignal;
}

/**
 * Asks by elicitation, within the request that asks; null where the client cannot. Silence is a no, and so is
 * an answer that does not fit the question.
 */
export function askPersonOf(
  server: Server,
  { requestId, signal }: Asked,
): ((prompt: string) => Promise<boolean>) | null {
  const { elicitation } = server.getClientCapabilities() ?? {};
  if (elicitation === undefined || (elicitation.form === undefined && elicitation.url !== undefined))
    return null;
  return async (prompt) => {
    try {
      const { action, content } = await server.elicitInput(
        { mode: 'form', message: prompt, requestedSchema: agreement },
        { relatedRequestId: requestId, signal, timeout: patience_ms },
      );
      return action === 'accept' && content?.agree === true;
    } catch (thrown) {
      if (thrown instanceof McpError && noes.includes(thrown.code)) return false;
      throw thrown;
    }
  };
}

const agreement = {
  type: 'object' as const,
  properties: {
    agree: { type: 'boolean' as const, title: 'Do it', description: 'Whether this is to be done' },
  },
  required: ['agree'],
};
